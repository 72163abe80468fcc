"""The lines of a text that have the words of a query, with their numbers and what stands around them."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from pipeline.details.paging import StoredText, line_range, page_bytes
from pipeline.errors.store import LinesUnclear, PagesNotThere
from schemas.detail_page import DetailPage, PageRequest

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
    follows: bool = False


@dataclass
class _MatchPage:
    """The page of matches that is wanted, filled while the text passes."""

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
        if self.used and self.used + len(row) > self.size:
            self.page, self.used, self.last = self.page + 1, 0, 0
        self.used += len(row.encode(errors="replace")) + 1
        if self.page == self.wanted:
            gap = self.last and line.number > self.last + 1
            self.shown += [*([_APART] if gap else []), row]
            self.numbers.append(line.number)
        self.last = line.number


def matching_page(text: StoredText, request: PageRequest) -> DetailPage:
    """A page of the lines with the words of the query, whatever their case, and of their neighbours.

    Where the request names lines, it is of these alone.

    Raises:
        DetailRefused: the query is empty, or the request names lines that are none; the text ends before the lines;
            there are fewer pages.
    """
    words = request.query.strip().lower()
    if not words:
        raise LinesUnclear(request.query)
    within = line_range(request.lines, text.detail.lines) if request.lines else None
    page = _MatchPage(page_bytes(text.detail, request.tokens), request.page)
    _look(text, words, within or _ALL, page)
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


def _look(text: StoredText, words: str, lines: tuple[int, int], page: _MatchPage) -> None:
    before, after = deque[_TextLine](maxlen=CONTEXT), 0
    for line in _pieces(text, words, lines):
        if words in line.text.lower():
            for one in before:
                page.add(one, _clipped(one.text), "- ")
            before.clear()
            for part in _around(line.text, words):
                page.matches += 1
                page.add(line, part, ": ")
            after = CONTEXT
        elif after and not line.follows:
            page.add(line, _clipped(line.text), "- ")
            after -= 1
        elif not line.follows:
            before.append(line)


def _pieces(text: StoredText, words: str, lines_wanted: tuple[int, int]) -> Iterator[_TextLine]:
    """The lines that may matter: those of a stretch with the words, and a few at the ends of the others."""
    first, last = lines_wanted
    tail, within, overlap = b"", False, len(words.encode(errors="replace")) - 1
    for stretch in text.from_line(first):
        if stretch.first_line > last:
            return
        content = (tail + stretch.content).decode(errors="replace")
        lines = content.split("\n")
        rows = [_TextLine(stretch.first_line + at, line, follows=within and not at) for at, line in enumerate(lines)]
        within = bool(lines[-1])
        rows = [row for row in (rows if within else rows[:-1]) if first <= row.number <= last]
        few = len(rows) <= 2 * CONTEXT or words in content.lower()
        yield from rows if few else (*rows[:CONTEXT], *rows[-CONTEXT:])
        tail = stretch.content[-overlap:] if within and overlap else b""


def _clipped(line: str) -> str:
    return line if len(line) <= 2 * AROUND else f"{line[: 2 * AROUND]}… ({len(line)} characters)"


def _around(line: str, words: str) -> Iterator[str]:
    """A line, or of a long one what stands around its matches; what stands around two of them comes once."""
    if len(line) <= 2 * AROUND + len(words):
        yield line
        return
    start, low = 0, line.lower()
    while (place := low.find(words, start)) >= 0:
        first, start = max(start, place - AROUND), min(len(line), place + len(words) + AROUND)
        yield f"{'…' if first else ''}{line[first:start]}{'…' if start < len(line) else ''}"
