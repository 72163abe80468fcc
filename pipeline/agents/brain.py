"""What an agent always knows, as it is shown: our lines, and those that stand in the file by other hands."""

import re
from collections.abc import Collection, Iterator

from pipeline.agents.journal import one_line
from pipeline.markdown.blocks import find_blocks, split_lines

PAGE = "{agents}/{agent}/memory/brain{part}.md"
"""The family of pages; the part `archive` holds what found no room, and what was replaced."""

BY_OTHERS = "written in the file"
"""Stands behind a line that we did not write: anybody who may write the file may have written it."""

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)


def shown(data: bytes, ours: Collection[tuple[str, str]]) -> str:
    """The text of a page for an agent: comments out, and a word behind each line that is not ours.

    `ours` are the names and digests of the items that we wrote into it. A heading has no such word.
    """
    return "\n".join(_lines(data, ours))


def _lines(data: bytes, ours: Collection[tuple[str, str]]) -> Iterator[str]:
    mine = {block.start: block for block in find_blocks(data) if block.item and block.intact}
    known = {start: block for start, block in mine.items() if (block.name, block.digest) in ours}
    ends = {start: block.end for start, block in known.items()}
    inside, rest = 0, list[bytes]()
    for line in split_lines(data):
        if line.start < inside:
            continue
        if line.start in known:
            yield from _by_others(rest)
            rest = []
            inside = ends[line.start]
            yield one_line(known[line.start].text)
        else:
            rest.append(line.body)
    yield from _by_others(rest)


def _by_others(bodies: Collection[bytes]) -> Iterator[str]:
    text = _COMMENT.sub("", b"\n".join(bodies).decode(errors="replace"))
    for line in filter(None, (one_line(part) for part in text.split("\n"))):
        yield line if line.startswith("#") else f"{line} ({BY_OTHERS})"
