"""Pages of a text: stretches of about one size that end at line ends, so that the last is placed without reading."""

import re
from codecs import getincrementaldecoder
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from pipeline.errors.store import LinesNotThere, LinesUnclear, PagesNotThere
from schemas.detail import Detail, DetailPage, PageRequest

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
    """A text that is read in stretches, beginning with the stretch of a line or of a byte."""

    detail: Detail
    from_line: Callable[[int], Iterator[TextStretch]]
    from_byte: Callable[[int], Iterator[TextStretch]]


@dataclass(frozen=True)
class _Following:
    """The way to read on behind a page: as a sentence, and as a request; empty at the end of the text."""

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
    line, content = _read_page_at(text, start, size)
    following = _Following(f"Go on with page={request.page + 1}.", _next_page(request))
    return _make_page(text, (line, content), (request.page, pages), following if request.page < pages else _END)


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
    following = _following_lines(request, whole, line + shown.count(b"\n"), last) if more else _END
    return _make_page(text, (line, shown), (request.page, 0), following)


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


def _following_lines(request: PageRequest, whole: int, stop: int, last: int) -> _Following:
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
        for line, part in enumerate([*(whole_line + b"\n" for whole_line in lines), rest], stretch.first_line):
            if line >= first:
                yield line, part


def _read_page_at(text: StoredText, start: int, size: int) -> tuple[int, bytes]:
    """The page that begins in the `size` bytes from `start` on, with the line of its first byte."""
    content, line, place = bytearray(), 1, 0
    for stretch in text.from_byte(start):
        if not content:
            line, place = stretch.first_line, stretch.first_byte
        content += stretch.content
        if place + len(content) >= start + 2 * size:
            break
    begin = _page_start(content, start - place, size)
    end = _page_start(content, start - place + size, size)
    return line + content[:begin].count(b"\n"), bytes(content[begin:end])


def _page_start(content: bytearray, place: int, size: int) -> int:
    """The start of a page: the first line that begins in its bytes, or these bytes, when none does."""
    if place <= 0 or place >= len(content):
        return max(0, min(place, len(content)))
    begin = content.find(b"\n", place - 1, place + size - 1) + 1
    return begin or place


def _make_page(text: StoredText, part: tuple[int, bytes], page: tuple[int, int], following: _Following) -> DetailPage:
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


CONTEXT = 2
"""Lines before and after a match."""
AROUND = 240
"""Characters before and after a match in a line that is longer than both."""

_APART = "--"
_ALL = (1, 2**62)  # lines


@dataclass(frozen=True)
class _TextLine:
    """A line, or a piece of one that is longer than a chunk."""

    number: int
    text: str
    follows: bool


@dataclass
class _MatchPage:
    """The page of matches that is wanted, of about `size` bytes, filled while the text passes."""

    size: int
    wanted: int
    page: int = 1
    used: int = 0
    matches: int = 0
    last: int = 0
    shown: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)

    def add(self, line: _TextLine, text: str, mark: str) -> None:
        """Show a line, on this page or on the next."""
        row = f"{line.number}{mark}{text}"
        size = len(row.encode(errors="replace"))
        if self.used and self.used + size > self.size:
            self.page, self.used, self.last = self.page + 1, 0, 0
        self.used += size + 1  # with the end of the line
        if self.page == self.wanted:
            gap = self.last and line.number > self.last + 1
            self.shown += [*([_APART] if gap else []), row]
            self.numbers.append(line.number)
        self.last = line.number


def to_lower(text: str) -> str:
    """The text in lower case, in which each character keeps its place: `str.lower` makes two of a Turkish İ."""
    return text.replace("\u0130", "i").lower()


def matching_page(text: StoredText, request: PageRequest) -> DetailPage:
    """A page of the lines with the words of the query, whatever their case, and of their neighbours.

    Where the request names lines, it is of these alone.

    Raises:
        DetailRefused: the query is empty, or the request names lines that are none; the text ends before the lines;
            there are fewer pages.
    """
    words = to_lower(request.query.strip())
    if not words:
        raise LinesUnclear(request.query)
    within = line_range(request.lines, text.detail.lines) if request.lines else None
    page = _MatchPage(page_bytes(text.detail, request.tokens), request.page)
    _fill_page(text, words, within or _ALL, page)
    if request.page > page.page:
        raise PagesNotThere(request.page, page.page)
    first, last = (page.numbers[0], page.numbers[-1]) if page.numbers else within or (0, 0)
    same = "the same lines and query" if within else "the same query"
    return DetailPage(
        key=text.detail.key,
        text="\n".join(page.shown),
        content="\n".join(page.shown).encode(errors="replace"),
        first_line=first,
        last_line=last,
        lines=text.detail.lines,
        page=request.page,
        pages=page.page,
        matches=page.matches,
        more=f"Go on with {same} and page={request.page + 1}." if request.page < page.page else "",
        go_on=request.model_copy(update={"page": request.page + 1}) if request.page < page.page else None,
    )


def _fill_page(text: StoredText, words: str, lines: tuple[int, int], page: _MatchPage) -> None:
    before, after = deque[_TextLine](maxlen=CONTEXT), 0
    for line in _find_lines(text, words, lines):
        if words in to_lower(line.text):
            for earlier in before:
                page.add(earlier, _clip(earlier.text), "- ")
            before.clear()
            for part in _around_matches(line.text, words):
                page.matches += 1
                page.add(line, part, ": ")
            after = CONTEXT
        elif after and not line.follows:
            page.add(line, _clip(line.text), "- ")
            after -= 1
        elif not line.follows:
            before.append(line)


def _find_lines(text: StoredText, words: str, lines_wanted: tuple[int, int]) -> Iterator[_TextLine]:
    """The lines that may matter: those of a stretch with the words, and a few at the ends of the others."""
    first, last = lines_wanted
    # Of a line that goes on in the next stretch: whether there is one, and its end, in which words may begin.
    goes_on, end = False, ""
    decoder = getincrementaldecoder("utf-8")("replace")
    for stretch in text.from_line(first):
        if stretch.first_line > last:
            return
        content = end + decoder.decode(stretch.content)
        *lines, rest = content.split("\n")
        rows = [
            _TextLine(number, line, follows=goes_on and number == stretch.first_line)
            for number, line in enumerate([*lines, rest] if rest else lines, stretch.first_line)
            if first <= number <= last
        ]
        few = len(rows) <= 2 * CONTEXT or words in to_lower(content)
        yield from rows if few else (*rows[:CONTEXT], *rows[-CONTEXT:])
        goes_on, end = bool(rest), rest[max(len(rest) - len(words) + 1, 0) :]


def _clip(line: str) -> str:
    return line if len(line) <= 2 * AROUND else f"{line[: 2 * AROUND]}… ({len(line)} characters)"


def _around_matches(line: str, words: str) -> Iterator[str]:
    """A line, or of a long one what stands around its matches; what stands around two of them comes once."""
    if len(line) <= 2 * AROUND + len(words):
        yield line
        return
    start, low = 0, to_lower(line)
    while (place := low.find(words, start)) >= 0:
        first, start = max(start, place - AROUND), min(len(line), place + len(words) + AROUND)
        yield f"{'…' if first else ''}{line[first:start]}{'…' if start < len(line) else ''}"
