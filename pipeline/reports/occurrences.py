"""Where an entry has left its traces: the daily files, the pages made of them, and what people wrote themselves."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pipeline.engine.context import Engine
from pipeline.entries.mentions import Subject
from pipeline.markdown.blocks import Block, Line, apart, find_blocks, split_lines
from pipeline.workspace.families import Family
from pipeline.workspace.layout import FORGOTTEN
from pipeline.workspace.listing import list_files

_INDENTED = re.compile(rb"[ \t]+\S")


class What(StrEnum):
    """What stands in a place.

    The `entry` itself; an `item` of ours about it; a `mention` of it in an item about something else; an item that a
    person has `edited`; `another` entry that names it or says the same; a `line` of a person.
    """

    ENTRY = "entry"
    ITEM = "item"
    MENTION = "mention"
    EDITED = "edited"
    ANOTHER = "another"
    LINE = "line"


@dataclass(frozen=True)
class Passage:
    """A block, or what stands between blocks: a line, or a list item with the lines indented under it.

    `line` counts from 1; the text has LF line ends, and no check.
    """

    line: int
    text: str
    block: Block | None = None


@dataclass(frozen=True)
class Trace:
    """A place where an entry is named, or where its words are said."""

    path: str
    what: What
    passage: Passage

    @property
    def line(self) -> int:
        """The line it begins at, from 1."""
        return self.passage.line

    @property
    def where(self) -> str:
        """`path:line`."""
        return f"{self.path}:{self.line}"

    @property
    def first_line(self) -> str:
        """The first line as it stands, without our mark."""
        return self.passage.text.split("\n", 1)[0]

    def names(self, subject: Subject) -> bool:
        """Whether it is the entry itself or names it, and not only says its words."""
        return self.what is What.ENTRY or subject.named_in(self.passage.text)


def traces(engine: Engine, subject: Subject) -> list[Trace]:
    """Every trace of an entry: our files in the order of their jobs, then what people keep beside them."""
    return [trace for path in _paths(engine) for trace in _in_file(engine, path, subject)]


def passages(data: bytes) -> Iterator[Passage]:
    """The parts of a file in their order; empty lines are none."""
    lines, at = split_lines(data), 0
    for block in apart(find_blocks(data)):
        first = block.line - 1
        yield from _between(lines, at, first)
        yield Passage(block.line, block.text, block)
        at = first
        while at < len(lines) and lines[at].start < block.end:
            at += 1
    yield from _between(lines, at, len(lines))


def _between(lines: Sequence[Line], at: int, end: int) -> Iterator[Passage]:
    """What a person wrote between two blocks."""
    while at < end:
        first, at = at, at + 1
        while lines[first].body.startswith(b"- ") and at < end and _INDENTED.match(lines[at].body):
            at += 1
        text = b"\n".join(line.body for line in lines[first:at]).decode(errors="replace")
        if text.strip():
            yield Passage(first + 1, text)


def _in_file(engine: Engine, path: str, subject: Subject) -> Iterator[Trace]:
    data = engine.workspace.read(path) or b""
    if subject.may_stand_in(data.decode(errors="replace")):
        for passage in passages(data):
            if what := _what(passage, subject):
                yield Trace(path, what, passage)


def _what(passage: Passage, subject: Subject) -> What | None:
    block, text = passage.block, passage.text
    if block and not block.item and block.name == subject.entry_id:
        return What.ENTRY
    if block and block.item and block.intact and subject.is_of(text):
        return What.ITEM
    named = subject.named_in(text)
    if not named and not subject.said_in(text) and not subject.quoted_in(text):
        return None
    if block is None:
        return What.LINE
    if block.item and not block.intact:
        return What.EDITED
    return What.MENTION if named and block.item else What.ANOTHER


def our_paths(engine: Engine) -> list[str]:
    """The files of every job's family in the order of the jobs, then those of jobs that there are no more."""
    families = [Family(engine.workspace, job.writes) for job in engine.jobs]
    written = (path for path in engine.ledger.changes.paths() if not any(family.owns(path) for family in families))
    left = [path for path in written if path != FORGOTTEN and engine.workspace.read(path) is not None]
    return list(dict.fromkeys([*(path for family in families for path in family.paths()), *left]))


def _paths(engine: Engine) -> list[str]:
    texts = list_files(engine.workspace, engine.settings.index, extra=False).files
    return list(dict.fromkeys([*our_paths(engine), *(listed.path for listed in texts)]))
