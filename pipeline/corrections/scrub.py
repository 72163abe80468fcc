"""Overwriting words in logs beside the ledger and the index, such as those of the service or of a scheduler.

The words are replaced by as many `*`, in place: a log may be open for appending, and no byte of it moves. A part of a
longer word is another word.
"""

import errno
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.workspace.regular_files import open_regular

_CHUNK = 1 << 20  # bytes searched at once: a scheduler's log may have grown for years
_AROUND = 8  # bytes beside a word that decide whether it is a whole one
_BESIDE = ("", "-wal", "-shm", "-journal")  # what SQLite puts beside a file
_COMPRESSED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"PK\x03\x04")
_LETTER = rb"[0-9A-Za-z_]"
_ACCENTED = rb"[\xc3-\xdf][\x80-\xbf]"  # letters of alphabets that UTF-8 writes in two bytes; Chinese has three
# JSON may write a line end as a backslash and a letter, and Chinese as one with digits, which belong to no word.
_BEGIN = rb"(?:(?<=\\[nrt])|(?<=\\u[2-9a-f][0-9a-f]{3})|(?<!%b)(?<!%b)(?<!\\))" % (_LETTER, _ACCENTED)
_END = rb"(?!%b|%b)" % (_LETTER, _ACCENTED)
_LED = re.compile(rb"%b|%b" % (_LETTER, _ACCENTED))
_ENDED = re.compile(rb"(?:%b|%b)(?<!\\u[0-9a-f]{4})\Z" % (_LETTER, _ACCENTED))


@dataclass(frozen=True)
class Scrubbed:
    """The files in which words were overwritten, and those that could not be searched, each with the reason."""

    files: tuple[str, ...]
    refused: tuple[str, ...]


def scrub(root: Path, folder: Path, texts: Sequence[str], apart: Sequence[Path]) -> Scrubbed:
    """Overwrite `texts` in every file of a folder but those that are `apart`: folders, and files with their `-wal`.

    Files are named relative to `root`. Links are not followed.
    """
    encoded = sorted({text.encode(errors="surrogateescape") for text in texts if text}, key=len, reverse=True)
    words = [_ForgottenWord(len(word), _whole(word)) for word in encoded]
    files, refused = list[str](), list[str]()
    for file in _files(folder, apart) if words else ():
        path = file.relative_to(root).as_posix()
        try:
            if _scrubbed(file, words):
                files.append(path)
        except OSError as error:
            if file.is_file() and not file.is_symlink():  # logs grow too old and are removed
                refused.append(f"{path} ({error.strerror or error})")
    return Scrubbed(tuple(files), tuple(refused))


def _files(folder: Path, apart: Sequence[Path]) -> Iterator[Path]:
    passed = {f"{skipped}{suffix}" for skipped in apart for suffix in _BESIDE}
    for top, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if Path(top, name) not in apart)
        yield from (file for name in sorted(names) if str(file := Path(top, name)) not in passed)


@dataclass(frozen=True)
class _ForgottenWord:
    """`size` is in bytes; `pattern` finds it as a whole word."""

    size: int
    pattern: re.Pattern[bytes]


def _whole(word: bytes) -> re.Pattern[bytes]:
    begin, end = _BEGIN if _LED.match(word) else b"", _END if _ENDED.search(word) else b""
    return re.compile(begin + re.escape(word) + end)


def _scrubbed(file: Path, words: Sequence[_ForgottenWord]) -> bool:
    """Whether anything was overwritten. The times of the log stay: by its age it is removed one day.

    Raises:
        OSError: the system refuses, no regular file stands there, or its bytes are compressed.
    """
    descriptor = open_regular(file, os.O_RDWR | os.O_NOFOLLOW)
    try:
        if os.pread(descriptor, _AROUND, 0).startswith(_COMPRESSED):
            raise OSError(errno.ENOTSUP, "it is compressed")
        before, at, hit = os.fstat(descriptor), 0, False
        size = _CHUNK + words[0].size + 2 * _AROUND
        while len(chunk := os.pread(descriptor, size, max(at - _AROUND, 0))) > (_AROUND if at else 0):
            hit |= _overwritten(descriptor, bytearray(chunk), max(at - _AROUND, 0), words)
            at += _CHUNK
        if hit:
            os.fsync(descriptor)
            os.utime(descriptor, ns=(before.st_atime_ns, before.st_mtime_ns))
        return hit
    finally:
        os.close(descriptor)


def _overwritten(descriptor: int, chunk: bytearray, start: int, words: Sequence[_ForgottenWord]) -> bool:
    hit = False
    for word in words:
        for match in word.pattern.finditer(bytes(chunk)):
            at = match.start()
            # At the very ends the bytes beside a word are unknown; the chunk before or behind has the word too.
            if (start and at < _AROUND) or at >= _AROUND + _CHUNK:
                continue
            chunk[at : at + word.size] = stars = b"*" * word.size
            os.pwrite(descriptor, stars, start + at)
            hit = True
    return hit
