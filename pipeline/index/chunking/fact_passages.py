"""Facts as they stand in a file: each list item under a heading `## Retain` that is one."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from pipeline.facts.sections import facts_in
from pipeline.index.chunking.entry_passages import is_plain
from pipeline.index.chunking.plain_text import plain
from pipeline.markdown.blocks import Block, find_blocks
from schemas.fact import Fact

_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_INDENTED = re.compile(r"[ \t]+\S")
_BARE = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class RetainedFact:
    """A fact with its lines, counted from 0, both inside.

    `fact` is read as ours where its item is intact; whether it is ours the ledger knows. `words` are looked through.
    """

    first: int
    last: int
    fact: Fact
    words: str


def retained(data: bytes, path: str, lines: Sequence[str]) -> list[RetainedFact]:
    """The facts of a file, in their order and apart. Never raises, whatever the bytes."""
    return list(_apart(data, path, lines)) if is_plain(data) else []


def _apart(data: bytes, path: str, lines: Sequence[str]) -> Iterator[RetainedFact]:
    blocks = {block.line: block for block in find_blocks(data) if block.item}
    intact = {(block.name, block.digest) for block in blocks.values() if block.intact}
    end = -1
    for fact in facts_in(data, path, intact, date.min):
        first = fact.line - 1
        last = _last(data, blocks.get(fact.line), lines, first)
        if first > end:
            yield RetainedFact(first, last, fact, _words(fact, lines[first + 1 : last + 1]))
            end = last


def _last(data: bytes, block: Block | None, lines: Sequence[str], first: int) -> int:
    """The last line of an item: that of its block, else the last of those that are indented under it."""
    if block:
        return first + data.count(b"\n", block.start, max(block.end - 1, block.start))
    last = first
    while last + 1 < len(lines) and _INDENTED.match(lines[last + 1]) and not _ITEM.match(lines[last + 1]):
        last += 1
    return last


def _words(fact: Fact, more: Sequence[str]) -> str:
    """The names and the sentence, and the quote where it says it otherwise; of other hands, whatever stands below."""
    names = f"{', '.join(fact.entities)}: " if fact.entities else ""
    below = fact.quote if fact.id else plain("\n".join(more)) if more else ""
    repeated = _BARE.sub("", below).casefold() in _BARE.sub("", fact.text).casefold()
    return "\n".join([names + fact.text, *([] if repeated else [below])])
