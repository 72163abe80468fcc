"""The day a file tells of."""

from datetime import date

from pipeline.index.chunking.documents import day_in
from tests.support.tables import table

DAYS = {
    "2026-02-10.md": date(2026, 2, 10),
    "2026-01-30-1615.md": date(2026, 1, 30),
    "2026-02-10-wrapup.md": date(2026, 2, 10),
    "devlog-20260210.md": date(2026, 2, 10),
    "weekly-2026-W06.md": date(2026, 2, 8),
    "2026年2月9日 日次ログ": date(2026, 2, 9),
    "Session: 2026-01-30 16:12:01 UTC": date(2026, 1, 30),
    "2026-02-30.md": None,
    "2026-13-01, then 2026-03-01": date(2026, 3, 1),
    "weekly-2026-W60.md": None,
    "0000-01-01": None,
    "2026-03.md": date(2026, 3, 1),
    "monthly-2026-12.md": date(2026, 12, 1),
    "2026-03, or 2026-W06": date(2026, 2, 8),
    "2026-03, or 2026-02-10": date(2026, 2, 10),
    "2026-13.md": None,
    "2026-00.md": None,
    "2026-031.md": None,
    "ticket-12026-02-101.md": None,
    "MEMORY.md": None,
}


@table("text", DAYS)
def test_the_first_day_that_there_is(text: str) -> None:
    """A day in figures or in Chinese; of an ISO week its Sunday; of a month its first day; impossible ones are none."""
    assert DAYS[text] == day_in(text)
