"""How long a series still takes."""

from collections.abc import Iterator

from pipeline.backfill.estimate import EVERY_SECONDS, FIRST_SECONDS, TimeLeft
from pipeline.backfill.series import Progress


def counted(moments: list[float], windows: int) -> list[Progress]:
    """What is said of windows that end at these seconds."""
    ticking: Iterator[float] = iter([0.0, *moments])
    time_left = TimeLeft(windows, lambda: next(ticking))
    return [progress for _ in moments if (progress := time_left.note())]


def test_it_is_measured_on_the_first_windows() -> None:
    """Nothing is said before some have been run for a while; the others are to take as long as these, each."""
    moments = [FIRST_SECONDS / 5, FIRST_SECONDS * 0.99, FIRST_SECONDS]
    assert [Progress(done=3, windows=9, seconds_left=round(2 * FIRST_SECONDS))] == counted(moments, 9)


def test_it_is_said_now_and_then() -> None:
    """Not for each window of thousands: a log for five years stays short."""
    moments = [FIRST_SECONDS, FIRST_SECONDS + 1, FIRST_SECONDS + EVERY_SECONDS]
    assert [1, 3] == [progress.done for progress in counted(moments, 100)]


def test_it_is_not_said_at_the_end() -> None:
    """When none is left, also where more were run than were planned."""
    assert [] == counted([FIRST_SECONDS, 99.0, 999.0], 1)
