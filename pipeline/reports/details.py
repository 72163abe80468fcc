"""Stored details as values to show."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from schemas.detail import Detail, DetailPage
from schemas.reports.details import ListedDetail, ShownDetail

_ROW = re.compile(r"(\d+)([:-]) (.*)", re.DOTALL)


@dataclass(frozen=True)
class NumberedLine:
    """A line of a detail with its number; `matches` says that it has the words that were looked for."""

    number: int
    text: str
    matches: bool = False


def lines_of(page: DetailPage) -> Iterator[NumberedLine]:
    """The lines of a page, each with its number."""
    rows = [row.removesuffix("\r") for row in page.text.removesuffix("\n").split("\n")]
    if page.matches is None:
        yield from (NumberedLine(number, row) for number, row in enumerate(rows, page.first_line))
        return
    matched = filter(None, map(_ROW.fullmatch, rows))  # what is no line stands between lines that are apart
    yield from (NumberedLine(int(row[1]), row[3], row[2] == ":") for row in matched)


def listed_detail(detail: Detail) -> ListedDetail:
    """A detail as a list shows it."""
    return ListedDetail(
        key=detail.key,
        type=detail.type.value,
        description=detail.description,
        lines=detail.lines,
        size=detail.size,
        tokens=detail.tokens,
        created_at=detail.created_at,
        expires_at=detail.expires_at,
        pinned=detail.pinned,
        agent=detail.placement.agent_id,
        thread=detail.placement.thread_id,
        sha256=detail.sha256,
    )


def shown_detail(detail: Detail) -> ShownDetail:
    """A detail with its description, without its text."""
    command, code = detail.metadata.get("command"), detail.metadata.get("exit_code")
    return ShownDetail(
        listed_detail(detail), detail.summary, str(command or ""), code if isinstance(code, int) else None
    )
