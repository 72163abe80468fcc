"""Entries as they stand in a file, with what is looked through of them.

A block that was an entry once, and that a person has edited so that it cannot be read as one, stays one passage.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from pipeline.entries.reference import item_name, wordless
from pipeline.markdown.blocks import Block, find_blocks
from pipeline.markdown.entries import parse_entry
from schemas.entry import NOT_STATED, Entry

_HEADING = re.compile(r"(#{1,6})[ \t]")
_FIELD = re.compile(r"\s*- ([a-z_]+):")
_FIELDS = frozenset(Entry.model_fields) | {"session_id", "session_path", "message_range", "entry_ids", "check"}
_MACHINE = _FIELDS - {"quote", "why", "finding", "conclusion", "impact", "refs"}
_LONGEST = 4000  # characters of what can still be taken for one entry
_BARE = re.compile(r"[\W_]+")
_MARK = re.compile(rb"<!--(?: memory|[a-z]):")
_MARKS = 8  # on one line; a page has one
_BLANKS = re.compile(rb"[ \t]{1000}")


@dataclass(frozen=True, slots=True)
class Recorded:
    """An entry's block: its lines, counted from 0, both inside, and the level of its heading, 0 where it has none.

    `entry` is `None` where it cannot be read any more; `about` begins with its id and its other names.
    """

    first: int
    last: int
    level: int
    title: str
    words: str
    entry: Entry | None
    about: tuple[str, ...]


def recorded(data: bytes) -> list[Recorded]:
    """The entries of a file, in their order and apart. Never raises, whatever the bytes."""
    if b"- id:" not in data or not is_plain(data):
        return []
    return list(_apart(data, [block for block in find_blocks(data) if not block.item]))


def is_plain(data: bytes) -> bool:
    """Whether blocks can be looked for: lines made to keep a reader busy for hours hold none."""
    marked = b"<!--" in data and any(len(_MARK.findall(line)) > _MARKS for line in data.split(b"\n"))
    return not marked and not _BLANKS.search(data)


def _apart(data: bytes, blocks: Sequence[Block]) -> Iterator[Recorded]:
    end = -1
    for block in blocks:
        first = block.line - 1
        last = first + data.count(b"\n", block.start, max(block.end - 1, block.start))
        entry = parse_entry(block)
        if first > end and (entry or _was_entry(block)):
            yield _recorded(block, first, last, entry)
            end = last


def _was_entry(block: Block) -> bool:
    return bool(block.check) and len(block.text) <= _LONGEST


def _recorded(block: Block, first: int, last: int, entry: Entry | None) -> Recorded:
    heading = _HEADING.match(block.text)
    title = block.text.partition("\n")[0].lstrip("#").strip() if heading else ""
    own = entry.id if entry else block.name
    linked = (
        (*entry.supersedes, *entry.superseded_by, *entry.supersedes_part, *entry.reinforces, entry.corrects)
        if entry
        else ()
    )
    return Recorded(
        first=first,
        last=last,
        level=len(heading.group(1)) if heading else 0,
        title=entry.title if entry else title,
        words=_words(entry, block.text) if entry else "\n".join([title, *_added(block.text, _MACHINE)]),
        entry=entry,
        about=tuple(dict.fromkeys([own, wordless(own), item_name(own), *filter(None, linked)])),
    )


def _words(entry: Entry, text: str) -> str:
    """The words of an entry, without repetition, with a person's additions to its block."""
    fields = [entry.title, entry.quote, entry.conclusion, entry.why, entry.finding, entry.impact]
    texts = [part for part in fields if part not in {"", NOT_STATED}]
    bare = [_BARE.sub("", part).casefold() for part in texts]
    kept = [
        part
        for at, part in enumerate(texts)
        if bare[at] not in bare[:at] and not any(bare[at] in other and bare[at] != other for other in bare)
    ]
    return "\n".join([*kept, *entry.refs, *_added(text, _FIELDS)])


def _added(text: str, fields: Collection[str]) -> Iterator[str]:
    """The lines below the heading that are none of these fields."""
    for line in text.split("\n"):
        match = _FIELD.match(line)
        if line.strip() and not _HEADING.match(line) and not (match and match.group(1) in fields):
            yield line.strip()
