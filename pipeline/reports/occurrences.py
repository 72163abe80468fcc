"""Occurrences of an entry: in the daily files, the pages made of them, and the texts of people."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from pipeline.engine.context import Engine
from pipeline.entries.matcher import Matcher
from pipeline.entries.mentions import words_of
from pipeline.ledger.evidence import written_paths
from pipeline.markdown.blocks import Block, Line, drop_overlaps, find_blocks, split_lines
from pipeline.markdown.entries import added_lines, parse_entry
from pipeline.workspace.layout import LISTS
from pipeline.workspace.listing import list_files

_INDENTED = re.compile(rb"[ \t]+\S")


class OccurrenceKind(StrEnum):
    """The kind of an occurrence.

    The `entry` itself; an `item` of ours about it; a `mention` of it in an item about something else; an item that a
    person has `edited`; `another` entry with its id or its words; a `line` of a person.
    """

    ENTRY = "entry"
    ITEM = "item"
    MENTION = "mention"
    EDITED = "edited"
    ANOTHER = "another"
    LINE = "line"


@dataclass(frozen=True)
class TextSpan:
    """A block, or what stands between blocks: a line, or a list item with the lines indented under it.

    `line` counts from 1; the text has LF line ends, and no check.
    """

    line: int
    text: str
    block: Block | None = None


@dataclass(frozen=True)
class Occurrence:
    """A place with the id of an entry, or with its words."""

    path: str
    what: OccurrenceKind
    passage: TextSpan

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

    def names(self, subject: Matcher) -> bool:
        """Whether it is the entry itself or has its id, and not only its words."""
        return self.what is OccurrenceKind.ENTRY or subject.named_in(self.passage.text)


class KnownTexts(Protocol):
    """Texts of files that were looked through before."""

    def keep(self, paths: Collection[str]) -> None:
        """Drop what is known of all other files."""

    def of(self, path: str, data: bytes, text: str) -> str:
        """The `bare_text` of a file that has these bytes."""

    def passages(self, path: str, data: bytes) -> "Sequence[TextSpan]":
        """The `passages` of that file."""


def occurrences(engine: Engine, subject: Matcher, texts: KnownTexts | None = None) -> list[Occurrence]:
    """Every trace of an entry: our files in the order of their jobs, then what people keep beside them."""
    beside = list_files(engine.workspace, engine.settings.index, extra=False).files
    paths = list(dict.fromkeys([*our_paths(engine), *copies_of_ours(engine), *(listed.path for listed in beside)]))
    if texts:
        texts.keep(set(paths))
    return [occurrence for path in paths for occurrence in _in_file(engine, path, subject, texts)]


def passages(data: bytes) -> Iterator[TextSpan]:
    """The parts of a file in their order; empty lines are none."""
    lines, at = split_lines(data), 0
    for block in drop_overlaps(find_blocks(data)):
        first = block.line - 1
        yield from _between(lines, at, first)
        yield TextSpan(block.line, block.text, block)
        at = first
        while at < len(lines) and lines[at].start < block.end:
            at += 1
    yield from _between(lines, at, len(lines))


def reason_below(verdict: str) -> str:
    """Why a plan says so: the lines below the first one of a verdict, without its list of what goes with it."""
    below = (line.strip() for line in verdict.split("\n")[1:])
    return "; ".join(line for line in below if line and not line.startswith("- "))


def _between(lines: Sequence[Line], at: int, end: int) -> Iterator[TextSpan]:
    """A person's text between two blocks."""
    while at < end:
        first, at = at, at + 1
        while lines[first].body.startswith(b"- ") and at < end and _INDENTED.match(lines[at].body):
            at += 1
        text = b"\n".join(line.body for line in lines[first:at]).decode(errors="replace")
        if text.strip():
            yield TextSpan(first + 1, text)


def _in_file(engine: Engine, path: str, subject: Matcher, texts: KnownTexts | None) -> Iterator[Occurrence]:
    data = engine.workspace.read(path) or b""
    text = data.decode(errors="replace")
    if subject.may_stand_in(text, texts.of(path, data, text) if texts else None):
        for passage in texts.passages(path, data) if texts else passages(data):
            if what := _what(passage, subject):
                yield Occurrence(path, what, passage)


def _what(passage: TextSpan, subject: Matcher) -> OccurrenceKind | None:
    block, text = passage.block, passage.text
    if block and not block.item and block.name == subject.entry_id:
        return OccurrenceKind.ENTRY
    if block and not (block.item or subject.entry_id) and (entry := parse_entry(block)):
        # A topic may be called as a field of an entry is.
        text = f"{words_of(entry)}\n{added_lines(text)}"
    if block and block.item and (block.intact or block.is_pinned) and subject.is_of(text, block.name):
        return OccurrenceKind.ITEM
    named = subject.is_named_by(text, block.name if block and block.item else "")
    if not named and not subject.said_in(text) and not subject.quoted_in(text):
        return None
    if block is None:
        return OccurrenceKind.LINE
    if block.item and not block.intact:
        return OccurrenceKind.EDITED
    return OccurrenceKind.MENTION if named and block.item else OccurrenceKind.ANOTHER


def our_paths(engine: Engine) -> list[str]:
    """The files of every job's family in the order of the jobs, then those of jobs that there are no more."""
    families = [engine.family(job) for job in engine.jobs]
    written = (path for path in written_paths(engine.ledger.store) if not any(family.owns(path) for family in families))
    left = [path for path in written if path not in LISTS and engine.workspace.read(path) is not None]
    return list(dict.fromkeys([*(path for family in families for path in family.paths()), *left]))


def copies_of_ours(engine: Engine) -> dict[str, str]:
    """The copies that stand beside our files, by path, each with the file that it is a copy of."""
    families = (engine.family(job) for job in engine.jobs)
    folders = (folder.removeprefix(".") for family in families for folder in family.folders())
    return engine.workspace.copies.all(folders)
