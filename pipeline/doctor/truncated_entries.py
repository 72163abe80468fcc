"""Truncated entries: the end of their file was cut away, by a full disk, a sync or an editor.

The ledger has the bytes that were written, so the rest is put back exactly. An entry that a crash of ours left half
written has an intention in the ledger, and the next run mends it (`recovery`).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from os.path import commonprefix

from pipeline.engine.append import ATTEMPTS
from pipeline.engine.context import Engine
from pipeline.engine.recovery import recover
from pipeline.errors import ChangedMeanwhile
from pipeline.job import Job
from pipeline.ledger.changes import KnownBlock
from pipeline.markdown.blocks import Block, find_blocks, seal_entry
from pipeline.markdown.entries import parse_entry
from pipeline.markdown.splice import newline_of
from pipeline.workspace.families import TargetFiles

_OURS = re.compile(r"[A-Z]+-[0-9]{8}-")
_LINE_ENDS = b"\r\n"  # bytes of which line ends are made
_NEW_LINES = (b"\n", b"\r\n")


@dataclass(frozen=True)
class TornEntry:
    """An entry that cannot be read, or that is truncated: the lines `first` to `last` of `path`, from 1.

    `cut` means that its end is missing. `read` is the file as it is, and `whole` the file with the rest of the entry,
    when the ledger has it. `again` is the id under which a later run has written the same words.
    """

    name: str
    path: str
    first: int
    last: int
    cut: bool
    read: bytes
    whole: bytes | None = None
    again: str = ""


def torn_entries(engine: Engine, path: str) -> Iterator[TornEntry]:
    """The torn entries of one file, in order. An entry whose id is lost is known from the ledger only."""
    data = engine.workspace.read(path) or b""
    known = {block.name: block for block in engine.ledger.changes.standing_in(path)}
    blocks = [block for block in find_blocks(data) if not block.item]
    missing = [known[name] for name in known if name not in {block.name for block in blocks}]
    headless = list(_headless(engine, missing, data))
    beginnings = {torn.first for torn in headless}  # where half an id would be taken for another entry's
    for block in (block for block in blocks if not block.intact and block.line not in beginnings):
        start, known_block = block.start, known.get(block.name)
        written = _written(engine, known_block, newline_of(data)) if known_block else None
        if known_block and written and written.startswith(data[start : block.end].rstrip(_LINE_ENDS)):
            yield _cut(engine, known_block, data, start, written)
        elif parse_entry(block) is None and (known_block or _OURS.match(block.name)):
            yield _unreadable(path, data, block)
    yield from headless


def made_whole(engine: Engine, job: Job, torn: TornEntry) -> str:
    """Put back the rest of an entry; a sentence about it."""
    run_id = engine.new_run_id(engine.clock.now())
    with engine.locks.hold((job.name, *job.locks), run_id, engine.clock.now() + job.timeout):
        recover(engine.workspace, engine.ledger, TargetFiles(engine.workspace, job.writes).owns)
        for _ in range(ATTEMPTS):
            now = next((torn_now for torn_now in torn_entries(engine, torn.path) if torn_now.name == torn.name), None)
            if now is None or now.whole is None or now.again:
                return f"{torn.name} is not torn any more"
            if engine.workspace.put(now.path, now.read, now.whole):
                return f"{torn.name} stands in {torn.path} as it was written"
    raise ChangedMeanwhile(torn.path)


def _cut(engine: Engine, known: KnownBlock, data: bytes, start: int, written: bytes) -> TornEntry:
    end = start + len(commonprefix([data[start:], written]))  # noqa: RUF071 - of bytes, not of paths
    if data[end:] and not data.startswith(_NEW_LINES, end):
        end = data.rfind(b"\n", start, end) + 1  # another program's line begins as our next line did
    rest = data[end:]
    # A program that appended since began with a line end, which closed the torn line.
    lead = newline_of(data) if rest and not rest.startswith(_NEW_LINES) else b""
    return TornEntry(
        name=known.name,
        path=known.path,
        first=_line(data, start + 1),
        last=_line(data, end),
        cut=True,
        read=data,
        whole=data[:start] + written + lead + rest,
        again=_again(engine, known),
    )


def _unreadable(path: str, data: bytes, block: Block) -> TornEntry:
    last = _line(data, block.end)
    return TornEntry(block.name, path, block.line, last, cut=not block.check, read=data)


def _headless(engine: Engine, missing: list[KnownBlock], data: bytes) -> Iterator[TornEntry]:
    """The entry at the end of the file whose id is cut off."""
    start = data.rfind(b"\n## ") + 1
    if not data.startswith(b"## ", start):
        return
    for known in missing:
        written = _written(engine, known, newline_of(data))
        if written and written.startswith(data[start:].rstrip(_LINE_ENDS)):
            yield _cut(engine, known, data, start, written)
            return


def _written(engine: Engine, known: KnownBlock, newline: bytes) -> bytes | None:
    """The entry as we wrote it last; `None` when the ledger does not have it."""
    block = engine.ledger.changes.as_written(known.path, known.name, known.digest)
    return seal_entry(block.text).encode().replace(b"\n", newline) if block else None


def _again(engine: Engine, known: KnownBlock) -> str:
    same = (block for block in engine.ledger.changes.live() if block.identity and block.identity == known.identity)
    # Lines of other pages may rest on the same words: those are no entries.
    return next((block.name for block in same if block.name != known.name and _OURS.match(block.name)), "")


def _line(data: bytes, end: int) -> int:
    """The line that the byte before `end` stands in, from 1."""
    return data.count(b"\n", 0, end - 1) + 1
