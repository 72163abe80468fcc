"""The facts of a file: the list items under a heading `## Retain`, ours and those of other hands."""

import re
from collections.abc import Collection, Iterator
from datetime import date

from pipeline.facts.lines import parse_fact
from pipeline.markdown.blocks import Line, find_blocks, split_lines, without_marks
from schemas.fact import Fact

HEADING = "Retain"
_HEAD = re.compile(rb"(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def facts_in(data: bytes, path: str, ours: Collection[tuple[str, str]], otherwise: date) -> list[Fact]:
    """The facts of a file in their order.

    `ours` are the names and digests of the items that we wrote into it. The day of a fact is that of the file's name,
    else `otherwise`. A fact of other hands has no id, and nobody's word.
    """
    day = day_of(path) or otherwise
    return list(_facts(data, path, ours, day))


def _facts(data: bytes, path: str, ours: Collection[tuple[str, str]], day: date) -> Iterator[Fact]:
    blocks = {block.start: block for block in find_blocks(data) if block.item}
    known = {start: block for start, block in blocks.items() if block.intact and (block.name, block.digest) in ours}
    passed = 0
    for number, line in _under_heading(data):
        if line.start < passed:
            continue
        block = known.get(line.start)
        text = block.text if block else without_marks(line.body.decode(errors="replace"))
        passed = block.end if block else passed
        fact = parse_fact(text, day, name=block.name if block else "")
        if fact:
            yield fact.model_copy(update={"path": path, "line": number})


def _under_heading(data: bytes) -> Iterator[tuple[int, Line]]:
    """The lines under each heading, up to the next one of its level or above, with their numbers from 1."""
    level = 0
    for number, line in enumerate(split_lines(data), 1):
        head = _HEAD.fullmatch(line.body)
        if head and head[2].decode(errors="replace").casefold() == HEADING.casefold():
            level = len(head[1])
        elif head and len(head[1]) <= level:
            level = 0
        elif level and not head:
            yield number, line


def day_of(path: str) -> date | None:
    """The day in the name of a file; `None` without one."""
    for written in _DAY.findall(path.rpartition("/")[2]):
        try:
            return date.fromisoformat(written)
        except ValueError:
            continue
    return None
