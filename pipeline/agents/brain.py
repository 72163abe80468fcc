"""What an agent always knows, as it is shown: our lines, and those that stand in the file by other hands."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from pipeline.agents.journal import one_line
from pipeline.markdown.blocks import FRONT_MATTER, find_blocks, split_lines

PAGE = "{agents}/{agent}/memory/brain{part}.md"
"""The family of pages; the part `archive` holds what found no room, and what was replaced."""

REPLACED = "replaced"
"""The name of the heading of what was replaced, the last one of the archive."""

BY_OTHERS = "written in the file"
"""Stands behind a line that we did not write: anybody who may write the file may have written it."""

_PINNED = "p"  # in place of the first letter of the id
_LINE = "j"

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)


@dataclass(frozen=True)
class PageLine:
    """A line of a page for an agent, without comments. `name` is the id of our line, empty for another's."""

    text: str
    name: str = ""

    @property
    def heads(self) -> bool:
        """Whether it is a heading."""
        return self.text.startswith("#")


def pinned_name(line: str) -> str:
    """The name of a pinned line's item on the page: with another name it is put where it belongs by its place."""
    return f"{_PINNED}{line.removeprefix(_LINE)}"


def line_of(name: str) -> str:
    """The id of the line that an item of the page is; of an item that is no line its name."""
    return f"{_LINE}{name.removeprefix(_PINNED)}" if name.startswith(f"{_PINNED}-") else name


def page_lines(data: bytes, ours: Collection[tuple[str, str]]) -> list[PageLine]:
    """The lines of a page that are not empty, with a word behind each that is not ours and no heading.

    Our front matter is left out.

    `ours` are the names and digests of the items that we wrote into it.
    """
    return list(_lines(data, ours))


def text_of(lines: Sequence[PageLine]) -> str:
    """The text of lines; a heading with nothing under it is left out, unless it is the last of a higher level."""
    kept = [line for place, line in enumerate(lines) if not line.heads or _leads(lines, place)]
    return "\n".join(line.text for line in kept)


def _leads(lines: Sequence[PageLine], place: int) -> bool:
    """Whether anything but headings of the same or a lower level stands behind a heading."""
    level = _level(lines[place])
    for line in lines[place + 1 :]:
        if not line.heads:
            return True
        if _level(line) <= level:
            return False
    return False


def _level(line: PageLine) -> int:
    return len(line.text) - len(line.text.lstrip("#"))


def _lines(data: bytes, ours: Collection[tuple[str, str]]) -> Iterator[PageLine]:
    items = (block for block in find_blocks(data) if block.item and block.intact)
    known = {block.start: block for block in items if (block.name, block.digest) in ours}
    inside, rest = 0, list[bytes]()
    for line in split_lines(data):
        if line.start < inside:
            continue
        if block := known.get(line.start):
            yield from _by_others(rest)
            rest, inside = [], block.end
            if block.name != FRONT_MATTER:
                yield PageLine(one_line(block.text), line_of(block.name))
        else:
            rest.append(line.body)
    yield from _by_others(rest)


def _by_others(bodies: Sequence[bytes]) -> Iterator[PageLine]:
    text = _COMMENT.sub("", b"\n".join(bodies).decode(errors="replace"))
    for line in filter(None, (one_line(part) for part in text.split("\n"))):
        yield PageLine(line if line.startswith("#") else f"{line} ({BY_OTHERS})")
