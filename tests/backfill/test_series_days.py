"""The days of a series, in which its progress is told."""

from datetime import UTC, datetime, timedelta

from pipeline.backfill.work import days_between
from schemas.window import Window
from tests.support.tables import table

MIDNIGHT = datetime(2026, 3, 2, tzinfo=UTC)


@table(
    ("hours", "zone", "days"),
    [([(0, 3)], "UTC", 1), ([(0, 24)], "UTC", 1), ([(21, 24), (24, 27)], "UTC", 2), ([(21, 24)], "Asia/Shanghai", 1),
     ([(0, 3), (48, 72)], "UTC", 3), ([(15, 18)], "Asia/Shanghai", 2)],
)  # fmt: skip
def test_days_are_local(hours: list[tuple[int, int]], zone: str, days: int) -> None:
    """From that of the first window to that of the last moment of all."""
    windows = [Window(start=MIDNIGHT + timedelta(hours=a), end=MIDNIGHT + timedelta(hours=b)) for a, b in hours]
    assert days == days_between(windows, zone)
