"""Overwriting words in what programs have logged beside the ledger and the index: runs of the service, a scheduler.

The words give way to as many `*`, in place: a log may be open for appending, and nothing in it moves.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

_CHUNK = 1 << 20  # bytes looked through at once: a scheduler's log may have grown for years


@dataclass(frozen=True)
class Scrubbed:
    """The files in which words were overwritten, and those that could not be looked through, each with the reason."""

    files: tuple[str, ...]
    refused: tuple[str, ...]


def scrub(root: Path, folder: Path, texts: Sequence[str], apart: Sequence[Path]) -> Scrubbed:
    """Overwrite `texts` in every file of a folder but those that are `apart`: folders, and files with their `-wal`.

    Files are told relative to `root`. Links are not followed.
    """
    words = sorted({text.encode(errors="surrogateescape") for text in texts if text}, key=len, reverse=True)
    files, refused = list[str](), list[str]()
    for file in _files(folder, apart) if words else ():
        path = file.relative_to(root).as_posix()
        try:
            if _scrubbed(file, words):
                files.append(path)
        except FileNotFoundError:  # logs grow too old and are removed
            continue
        except OSError as error:
            refused.append(f"{path} ({error.strerror or error})")
    return Scrubbed(tuple(files), tuple(refused))


def _files(folder: Path, apart: Sequence[Path]) -> Iterator[Path]:
    for top, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if Path(top, name) not in apart)
        for file in (Path(top, name) for name in sorted(names)):
            if not any(file == each or str(file).startswith(f"{each}-") for each in apart):
                yield file


def _scrubbed(file: Path, words: Sequence[bytes]) -> bool:
    """Whether anything was overwritten. How old the log is stays as it was: by that it is removed one day."""
    if not stat.S_ISREG(file.lstat().st_mode):
        return False
    descriptor = os.open(file, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        before, at, hit = os.fstat(descriptor), 0, False
        while chunk := os.pread(descriptor, _CHUNK + len(words[0]), at):
            hit |= _overwritten(descriptor, bytearray(chunk), at, words)
            at += _CHUNK
        if hit:
            os.fsync(descriptor)
            os.utime(descriptor, ns=(before.st_atime_ns, before.st_mtime_ns))
        return hit
    finally:
        os.close(descriptor)


def _overwritten(descriptor: int, chunk: bytearray, start: int, words: Sequence[bytes]) -> bool:
    hit = False
    for word in words:
        while (at := chunk.find(word)) >= 0:
            chunk[at : at + len(word)] = stars = b"*" * len(word)
            os.pwrite(descriptor, stars, start + at)
            hit = True
    return hit
