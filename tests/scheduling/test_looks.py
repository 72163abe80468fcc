"""When the service looks: as windows close."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.job import Period, Schedule
from pipeline.scheduling.windows import closed_until, look_moments
from schemas.window import Window
from tests.support.marks import examples


@settings(max_examples=examples(10))
@given(
    st.datetimes(datetime(2026, 3, 1), datetime(2026, 11, 20), timezones=st.just(UTC)),  # noqa: DTZ001 - hypothesis adds the zone
    st.integers(1, 20),
    st.sampled_from(["0 */3 * * *", "20 3 * * *", "10 4 * * 1", "30 2 * * *", "*/45 0,12 * * 0,3"]),
    st.sampled_from(Period),
    st.sampled_from(["Europe/Warsaw", "Africa/Cairo"]),
)
def test_a_look_is_when_a_window_closes(start: datetime, days: int, cron: str, period: Period, zone: str) -> None:
    """At each look one more window has closed, which had not the moment before; between two looks none does."""
    schedule = Schedule(cron, period=period)
    span = Window(start=start, end=start + timedelta(days=days))
    moments = look_moments(schedule, zone, span)
    assert sorted(set(moments)) == moments
    assert all(span.start < moment <= span.end for moment in moments)
    closed = [closed_until(schedule, zone, moment) for moment in (span.start, *moments)]
    before = [closed_until(schedule, zone, moment - timedelta(microseconds=1)) for moment in (*moments, span.end)]
    assert closed[: len(moments)] == before[: len(moments)]
    assert all(first != second for first, second in pairwise(closed))
    ending = moments[-1] == span.end if moments else False
    assert ending or closed[-1] == before[-1]
