"""Pages of a text: stretches of about one size that end at line ends, so that the last is placed without reading."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from pipeline.errors.store import LinesNotThere, LinesUnclear, PagesNotThere
from schemas.detail import Detail
from schemas.detail_page import DetailPage, PageRequest

_LINES = re.compile(r"\s*(?P<first>\d{1,15})\s*(?:(?P<to>[-:,]|\.\.)\s*(?P<last>\d{1,15})?)?\s*")
_SMALLEST = 400  # bytes


class TextStretch(Protocol):
    """A part of a text as the store has it."""

    @property
    def first_line(self) -> int:
        """The line of its first byte, from 1."""

    @property
    def first_byte(self) -> int:
        """The place of its first byte, from 0."""

    @property
    def content(self) -> bytes:
        """The bytes."""


@dataclass(frozen=True)
class StoredText:
    """A text that is read from a line or from a byte on, each in the stretch in which it stands."""

    detail: Detail
    from_line: Callable[[int], Iterator[TextStretch]]
    from_byte: Callable[[int], Iterator[TextStretch]]


@dataclass(frozen=True)
class _Following:
    """How a text goes on behind a page: in a sentence, and as a request; nothing at its end."""

    sentence: str = ""
    request: PageRequest | None = None


_END = _Following()


def page_bytes(detail: Detail, tokens: int) -> int:
    """The bytes of a page, by what a token of this text takes."""
    return max(_SMALLEST, tokens * detail.size // max(1, detail.tokens))


def line_range(lines: str, total: int) -> tuple[int, int]:
    """The first and the last of some lines, such as `100-180`, `7` or `500-`.

    Raises:
        DetailRefused: this names no lines; the text ends before.
    """
    match = _LINES.fullmatch(lines)
    if not match or not int(match["first"]):
        raise LinesUnclear(lines)
    first = int(match["first"])
    last = int(match["last"]) if match["last"] else total if match["to"] else first
    if first > total or last < first:
        raise LinesNotThere(lines, total)
    return first, min(last, total)


def numbered_page(text: StoredText, request: PageRequest) -> DetailPage:
    """A page of the whole text. All pages together are the text, byte by byte.

    Raises:
        PagesNotThere: there are fewer pages.
    """
    size = page_bytes(text.detail, request.tokens)
    pages = max(1, -(-text.detail.size // size))
    if request.page > pages:
        raise PagesNotThere(request.page, pages)
    start = (request.page - 1) * size
    line, content = _between(text, start, size)
    following = _Following(f"Go on with page={request.page + 1}.", _next_page(request))
    return _page(text, (line, content), (request.page, pages), following if request.page < pages else _END)


def page_of_lines(text: StoredText, request: PageRequest) -> DetailPage:
    """Some lines, as many of them as a page holds.

    Raises:
        DetailRefused: as `line_range`; the lines have fewer pages.
    """
    first, last = line_range(request.lines, text.detail.lines)
    size = page_bytes(text.detail, request.tokens)
    line, content = _part_of_lines(text, (first, last), ((request.page - 1) * size, size))
    if not content and request.page > 1:
        raise PagesNotThere(request.page, request.page - 1)
    shown, more = content[:size], len(content) > size
    whole = shown.rfind(b"\n") + 1 if more and request.page == 1 else 0
    shown = shown[: whole or size]
    following = _go_on(request, whole, line + shown.count(b"\n"), last) if more else _END
    return _page(text, (line, shown), (request.page, 0), following)


def _part_of_lines(text: StoredText, lines: tuple[int, int], part: tuple[int, int]) -> tuple[int, bytes]:
    """Of some lines the bytes behind the `skip` first, one more than `size` or up to a chunk more, and their line."""
    (first, last), (skip, size) = lines, part
    start, content = first, bytearray()
    for line, piece in parts_from(text, first):
        if line > last or len(content) > size:
            break
        if skip < len(piece):
            start = start if content else line
            content += piece[skip:]
        skip = max(0, skip - len(piece))
    return start, bytes(content)


def _go_on(request: PageRequest, whole: int, stop: int, last: int) -> _Following:
    if whole:
        lines = f"{stop}-{last}"
        return _Following(f'Go on with lines="{lines}".', request.model_copy(update={"lines": lines, "page": 1}))
    following = f'lines="{request.lines}", page={request.page + 1}'
    sentence = f"Line {stop} is longer than a page and is cut here. Go on with {following}."
    return _Following(sentence, _next_page(request))


def _next_page(request: PageRequest) -> PageRequest:
    return request.model_copy(update={"page": request.page + 1})


def parts_from(text: StoredText, first: int) -> Iterator[tuple[int, bytes]]:
    """The text from a line on in parts, lines or pieces of a long one, with their line."""
    for stretch in text.from_line(first):
        *lines, rest = stretch.content.split(b"\n")
        for line, part in enumerate([*(one + b"\n" for one in lines), rest], stretch.first_line):
            if line >= first:
                yield line, part


def _between(text: StoredText, start: int, size: int) -> tuple[int, bytes]:
    """The page that begins in the `size` bytes from `start` on, with the line of its first byte."""
    content, line, place = bytearray(), 1, 0
    for stretch in text.from_byte(start):
        if not content:
            line, place = stretch.first_line, stretch.first_byte
        content += stretch.content
        if place + len(content) >= start + 2 * size:
            break
    begin = _boundary(content, start - place, size)
    end = _boundary(content, start - place + size, size)
    return line + content[:begin].count(b"\n"), bytes(content[begin:end])


def _boundary(content: bytearray, place: int, size: int) -> int:
    """Where a page begins: at the first line that begins in its bytes, or with these, when none does."""
    if place <= 0 or place >= len(content):
        return max(0, min(place, len(content)))
    begin = content.find(b"\n", place - 1, place + size - 1) + 1
    return begin or place


def _page(text: StoredText, part: tuple[int, bytes], page: tuple[int, int], following: _Following) -> DetailPage:
    line, content = part
    ends = content.count(b"\n") - content.endswith(b"\n")
    return DetailPage(
        key=text.detail.key,
        text=content.decode(errors="replace"),
        content=content,
        first_line=line,
        last_line=line + max(0, ends),
        lines=text.detail.lines,
        page=page[0],
        pages=page[1],
        more=following.sentence,
        go_on=following.request,
    )
