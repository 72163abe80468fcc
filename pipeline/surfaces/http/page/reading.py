"""Markdown pages of the workspace as a person reads them: without the comments in which our blocks keep their marks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_COMMENT = re.compile(r"[ \t]*<!--.*?-->", re.DOTALL)
_MARK = re.compile(r"<!--m:([0-9a-f]+)")
_LINK = re.compile(r"\[([^\]\n]*)\]\([^)\n]*\)")
_HEADING = re.compile(r"(#{1,6})\s+(.*)")
_ITEM = re.compile(r"[-*]\s+(.*)")


@dataclass(frozen=True)
class ReadLine:
    """A line: a `heading` of a level, an `item` of a list, or `text`. `entry` names the entry that it tells of."""

    sort: str
    text: str
    level: int = 0
    entry: str = ""


def page_lines(text: str) -> Iterator[ReadLine]:
    """The lines of a page that say something; links are their words."""
    for line in text.splitlines():
        mark = _MARK.search(line)
        entry = f"m-{mark[1]}" if mark else ""
        words = _LINK.sub(r"\1", without_comments(line)).strip()
        heading, item = _HEADING.fullmatch(words), _ITEM.fullmatch(words)
        if heading:
            yield ReadLine("heading", heading[2], len(heading[1]))
        elif item:
            yield ReadLine("item", item[1], entry=entry)
        elif words:
            yield ReadLine("text", words)


def without_comments(text: str) -> str:
    """The text without its comments."""
    return _COMMENT.sub("", text)
