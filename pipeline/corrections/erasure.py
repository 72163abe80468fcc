"""Steps of every erasure: hold all jobs, find the files in reach, write them anew, and overwrite words in logs."""

import errno
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pipeline.backup.note import FILE as BACKUPS
from pipeline.engine.absence import put_ours
from pipeline.engine.append import ATTEMPTS
from pipeline.engine.context import Engine
from pipeline.engine.recovery import recover
from pipeline.engine.rewrite import page_or_none, put_page
from pipeline.entries.matcher import Matcher
from pipeline.errors import ChangedMeanwhile
from pipeline.markdown.blocks import FRONT_MATTER, Block, drop_overlaps, find_blocks, seal_entry, seal_item
from pipeline.markdown.splice import newline_of, remove_block, replace_block, without_block
from pipeline.reports.occurrences import copies_of_ours, our_paths
from pipeline.settings.workspaces import PLACE, RECORD
from pipeline.transcripts.kept_talk import FOLDER as KEPT_TALK
from pipeline.workspace.atomic import sweep
from pipeline.workspace.layout import INDEX_FOLDER
from pipeline.workspace.listing import list_files
from pipeline.workspace.regular_files import open_regular
from pipeline.workspace.service_files import ServiceFolder
from pipeline.workspace.tokens import CODE_FILE
from pipeline.workspace.tokens import FILE as TOKENS

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
    patterns = [
        re.compile((_BEGIN if _LED.match(word) else b"") + re.escape(word) + (_END if _ENDED.search(word) else b""))
        for word in encoded
    ]
    files, refused = list[str](), list[str]()
    for file in _files(folder, apart) if patterns else ():
        path = file.relative_to(root).as_posix()
        try:
            if _scrub_file(file, patterns, len(encoded[0])):
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


def _scrub_file(file: Path, patterns: Sequence[re.Pattern[bytes]], longest: int) -> bool:
    """Whether anything was overwritten; the longest word has so many bytes.

    The times of the log stay: by its age it is removed one day.

    Raises:
        OSError: the system refuses, no regular file stands there, or its bytes are compressed.
    """
    descriptor = open_regular(file, os.O_RDWR | os.O_NOFOLLOW)
    try:
        if os.pread(descriptor, _AROUND, 0).startswith(_COMPRESSED):
            raise OSError(errno.ENOTSUP, "it is compressed")
        before, at, hit = os.fstat(descriptor), 0, False
        size = _CHUNK + longest + 2 * _AROUND
        while len(chunk := os.pread(descriptor, size, max(at - _AROUND, 0))) > (_AROUND if at else 0):
            hit |= _overwritten(descriptor, bytearray(chunk), max(at - _AROUND, 0), patterns)
            at += _CHUNK
        if hit:
            os.fsync(descriptor)
            os.utime(descriptor, ns=(before.st_atime_ns, before.st_mtime_ns))
        return hit
    finally:
        os.close(descriptor)


def _overwritten(descriptor: int, chunk: bytearray, start: int, patterns: Sequence[re.Pattern[bytes]]) -> bool:
    hit = False
    for pattern in patterns:
        for match in pattern.finditer(bytes(chunk)):
            at, end = match.span()
            # At the very ends the bytes beside a word are unknown; the chunk before or behind has the word too.
            if (start and at < _AROUND) or at >= _AROUND + _CHUNK:
                continue
            chunk[at:end] = stars = b"*" * (end - at)
            os.pwrite(descriptor, stars, start + at)
            hit = True
    return hit


_GROUNDS = re.compile(r"\n- grounds:.*")


@dataclass(frozen=True)
class Erased:
    """A file without an entry: `removed` are the items that went, `reworded` the blocks that name the stand-in now."""

    data: bytes
    removed: tuple[Block, ...] = ()
    reworded: tuple[Block, ...] = ()


def erase_blocks(data: bytes, subject: Matcher, stand_in: str) -> Erased:
    """The file without the blocks of the entry and without our items about it; our other blocks name the stand-in.

    Text that a person wrote or changed stays, but for the entry itself. A pinned line is no text of a person.
    """
    if not subject.may_stand_in(data.decode(errors="replace")):
        return Erased(data)
    data = without_block(data, subject.entry_id)
    items = [block for block in drop_overlaps(find_blocks(data)) if block.intact or block.is_pinned]
    removed = [
        block for block in items if block.item and block.name != FRONT_MATTER and subject.is_of(block.text, block.name)
    ]
    removed += list(_empty_headings(data, removed, subject))
    reworded = set[str]()
    for block in reversed(items):
        if block in removed:
            data = cut_item(data, block)
        elif block.intact and (sealed := _reword_block(block, subject, stand_in)) is not None:
            data = replace_block(data, block, sealed)
            reworded.add(block.name)
    standing = tuple(block for block in find_blocks(data) if block.name in reworded)
    return Erased(data, tuple(sorted(removed, key=lambda block: block.start)), standing)


def wipe_bytes(data: bytes, subject: Matcher, stand_in: str) -> bytes:
    """Stored bytes without the entry, also in a person's words, which stay in their file alone."""
    if not subject.may_stand_in(data.decode(errors="replace")):
        return data
    data, parts, at = erase_blocks(data, subject, stand_in).data, list[bytes](), 0
    for block in [*(block for block in drop_overlaps(find_blocks(data)) if block.intact), None]:
        between = data[at : block.start if block else len(data)].decode(errors="surrogateescape")
        parts.append(subject.without(between, stand_in).encode(errors="surrogateescape"))
        parts.append(data[block.start : block.end] if block else b"")
        at = block.end if block else at
    return b"".join(parts)


def cut_item(data: bytes, block: Block) -> bytes:
    """Cut an item out; a heading or a paragraph goes with the empty line that leads it in, the first with the next."""
    if block.text.startswith("- "):
        return data[: block.start] + data[block.end :]
    left = remove_block(data, block)
    lead = newline_of(data[block.start : block.end])
    return left.removeprefix(lead) if block.start == 0 else left


def _reword_block(block: Block, subject: Matcher, stand_in: str) -> str | None:
    """The block sealed again with the stand-in; `None` when it has nothing of the entry."""
    text = subject.without(block.text, stand_in, words=block.item, item=block.name)
    if text != block.text and not block.item:
        text = _GROUNDS.sub("", text)  # they may hold words of the other entry of the link
    if text == block.text:
        return None
    return seal_item(block.name, text) if block.item else seal_entry(text)


def _empty_headings(data: bytes, removed: Sequence[Block], subject: Matcher) -> Iterator[Block]:
    """The headings of words of the entry under which all items are removed."""
    blocks = drop_overlaps(find_blocks(data))
    ends = [*(block.start for block in blocks[1:]), len(data)]
    bare, cut = True, False
    for block, end in reversed(list(zip(blocks, ends, strict=bool(blocks)))):
        bare = bare and not data[block.end : end].strip()
        if block in removed:
            cut = True
        elif block.text.startswith("## "):
            if bare and cut and block.item and block.intact and subject.has_words(block.text.lstrip("# ")):
                yield block
            bare, cut = True, False
        else:
            bare = False


OUT_OF_REACH = (
    "transcripts that the agents keep themselves",
    "git history of the workspace",
    "backups and synced copies",
    "logs outside of .memory/",
)


@contextmanager
def all_held(engine: Engine) -> Iterator[None]:
    """Hold the locks of all jobs, with their interrupted changes settled and no temporary file left."""
    names = tuple(name for job in engine.jobs for name in (job.name, *job.locks))
    longest = max(job.timeout for job in engine.jobs)
    with engine.locks.hold(names, "forget", engine.clock.now() + longest):
        for family in (engine.family(job) for job in engine.jobs):
            recover(engine.workspace, engine.ledger, family.owns)
            for folder in family.folders():  # a temporary file of a killed process may hold the whole page
                sweep(engine.workspace.root / folder)
        yield


def reached_by(engine: Engine, subject: Matcher, stand_in: str) -> dict[str, Erased]:
    """The files that change, by path: pages and copies of our files first."""
    grown, reached = [engine.family(job) for job in engine.jobs if job.writes.append], dict[str, Erased]()
    paths = [*our_paths(engine), *copies_of_ours(engine)]
    for path in sorted(paths, key=lambda path: any(family.owns(path) for family in grown)):
        data = engine.workspace.read(path) or b""
        part = erase_blocks(data, subject, stand_in)
        if part.data != data:
            reached[path] = part
    return reached


def rewrite(engine: Engine, subject: Matcher, stand_in: str, path: str) -> None:
    """Take it out of one file."""
    for _ in range(ATTEMPTS):
        data = engine.workspace.read(path)
        after = erase_blocks(data or b"", subject, stand_in).data
        if data is None or after == data or put_erased(engine, path, data, after):
            return
    raise ChangedMeanwhile(path)


def put_erased(engine: Engine, path: str, before: bytes, after: bytes) -> bool:
    """Put a file without what is erased in place of `before`; `False` when it has other contents by now."""
    if any(job.writes.append and engine.family(job).owns(path) for job in engine.jobs):
        return put_ours(engine.workspace, engine.ledger.changes, path, before, page_or_none(before, after))
    return put_page(engine.workspace, path, before, after)


def out_of_the_logs(engine: Engine, subject: Matcher) -> Scrubbed:
    """Overwrite the words in `.memory/`, but not in the ledger, the index and what it is made of: the caller does that.

    Nor in records that a program reads, which have no words of anybody: a topic may be called as a field of theirs.
    """
    workspace, ledger = engine.workspace, engine.ledger.store.path
    state = workspace.state_folder
    service = ServiceFolder(workspace.root)
    records = [workspace.root / name for name in (TOKENS, CODE_FILE, PLACE, RECORD)]
    read_on = [*records, state / BACKUPS, service.lock, service.state, service.address]
    apart = [ledger, state / INDEX_FOLDER, state / KEPT_TALK, *read_on]
    return scrub(workspace.root, state, subject.forms, apart)


def out_of_reach(engine: Engine) -> Iterator[str]:
    """Places that no erasure reaches: texts that could not be read, and those outside of the workspace."""
    yield from OUT_OF_REACH
    settings = engine.settings.index_with_notes
    yield from (f"{extra.name}: ({extra.path})" for extra in settings.extra_paths)
    unreadable = list_files(engine.workspace, settings, extra=False).unreadable
    yield from (f"{file.path} ({file.why})" for file in unreadable)
