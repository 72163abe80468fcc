"""A page in its sections: each heading with the text right under it, so that all sections together are the page."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from pipeline.markdown.blocks import Line, split_lines

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_FENCE = b"---"
_YAML = re.compile(rb"[\w-]+[ \t]*:|[ \t]+\S|- |#")
_KEY = re.compile(rb"[\w-]+[ \t]*:")
_COMMENT = re.compile(r"\s*<!--.*?-->")


@dataclass(frozen=True)
class Section:
    """A heading and the text under it, up to the next heading of any level.

    `start`, `body` (where the text under the heading begins) and `end` are byte offsets of line starts. `level` is 1 to
    6; 0 for front matter and for what stands before the first heading, which have no `title`.
    """

    level: int
    title: str
    start: int
    body: int
    end: int


def find_sections(data: bytes) -> list[Section]:
    """The sections of a page in their order, none of them empty. Never raises, whatever the bytes.

    Headings are those of CommonMark, underlined ones included; a `#` in a code fence, a list or a quotation is none.
    """
    lines = split_lines(data)
    front = _front_matter(lines)
    heads = [(0, 0, 0, ""), (front, front, 0, ""), *_headings(lines, front)]
    offsets = [*(line.start for line in lines), len(data)]
    return [
        Section(level, title, offsets[first], offsets[body], offsets[following[0]])
        for (first, body, level, title), following in pairwise([*heads, (len(lines), 0, 0, "")])
        if first < following[0]
    ]


def _headings(lines: Sequence[Line], front: int) -> Iterator[tuple[int, int, int, str]]:
    """Each heading's first line, the line after it (both count from 0), its level and its text."""
    # Only LF and CRLF end a line here, as everywhere in our reading of a page; to CommonMark a lone CR does too.
    bodies = (line.body.decode(errors="replace").replace("\r", " ") for line in lines[front:])
    tokens = _parser().parse("\n".join(bodies).removeprefix("\ufeff"))
    for token, inside in pairwise(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            first, after = token.map
            title = " ".join(_COMMENT.sub("", inside.content).split())
            yield front + first, front + after, int(token.tag.removeprefix("h")), title


@cache
def _parser() -> "MarkdownIt":
    """The parser of CommonMark for blocks alone: the inside of a line does not matter here."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - long to import, and few commands read a page by its sections

    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def _front_matter(lines: Sequence[Line]) -> int:
    """The number of lines of a page's YAML; CommonMark would take them for a rule and a heading. 0 for a rule alone."""
    if len(lines) < 2 or lines[0].body.rstrip() != _FENCE or not _KEY.match(lines[1].body):  # noqa: PLR2004 - fence, key
        return 0
    for number, line in enumerate(lines[1:], 1):
        if line.body.rstrip() == _FENCE:
            return number + 1
        if not _YAML.match(line.body):
            break
    return 0
