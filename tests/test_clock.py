"""What a local day is, in zones that make it hard."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pipeline.clock import day_start, local_day, midnights, spoken, stopwatch, stopwatch_through_sleep, to_the_minute
from tests.support.tables import table

ZONES = [
    "UTC",
    "Europe/Warsaw",
    "Asia/Shanghai",
    "Africa/Cairo",
    "America/Havana",
    "Australia/Lord_Howe",
    "America/New_York",
    "Asia/Kathmandu",
    "Pacific/Apia",
]
DAYS = st.dates(date(2023, 1, 1), date(2035, 1, 1))


@given(DAYS, st.sampled_from(ZONES))
def test_a_day_begins_at_its_first_moment(day: date, zone: str) -> None:
    """The start lies in the day, and the moment before it in the day before."""
    start = day_start(day, zone)
    assert day == local_day(start, zone)
    assert day - timedelta(days=1) == local_day(start - timedelta(microseconds=1), zone)


@given(st.datetimes(datetime(2023, 1, 1), datetime(2035, 1, 1), timezones=st.just(UTC)), st.sampled_from(ZONES))  # noqa: DTZ001 - hypothesis adds the zone
def test_a_moment_lies_in_its_own_day(moment: datetime, zone: str) -> None:
    """Days cover all time: from the start of a day to the start of the next one."""
    day = local_day(moment, zone)
    assert day_start(day, zone) <= moment < day_start(day + timedelta(days=1), zone)


@table(
    ("zone", "day", "start", "hours"),
    [
        ("Europe/Warsaw", date(2026, 3, 29), "2026-03-28T23:00+00:00", 23),
        ("Europe/Warsaw", date(2026, 10, 25), "2026-10-24T22:00+00:00", 25),
        ("Asia/Shanghai", date(2026, 3, 29), "2026-03-28T16:00+00:00", 24),
        ("Africa/Cairo", date(2026, 4, 24), "2026-04-23T22:00+00:00", 23),  # 00:00 to 01:00 does not exist
        ("Africa/Cairo", date(2026, 10, 29), "2026-10-28T21:00+00:00", 25),  # 23:00 to 24:00 happens twice
        ("America/Havana", date(2026, 3, 8), "2026-03-08T05:00+00:00", 23),  # 00:00 to 01:00 does not exist
        ("America/Havana", date(2026, 11, 1), "2026-11-01T04:00+00:00", 25),  # midnight happens twice
        ("Australia/Lord_Howe", date(2026, 4, 5), "2026-04-04T13:00+00:00", 24.5),
    ],
)
def test_days_of_a_change(zone: str, day: date, start: str, hours: float) -> None:
    """Where a day begins and how long it is when the clocks change."""
    assert datetime.fromisoformat(start) == day_start(day, zone)
    assert timedelta(hours=hours) == day_start(day + timedelta(days=1), zone) - day_start(day, zone)


@given(DAYS, st.integers(0, 60), st.sampled_from(ZONES))
def test_midnights_lie_strictly_between(day: date, count: int, zone: str) -> None:
    """Each day start between two moments, once, in order; the moments themselves not."""
    start, end = day_start(day, zone), day_start(day + timedelta(days=count + 1), zone)
    moments = midnights(start, end, zone)
    assert count == len(moments)
    assert all(first < second for first, second in pairwise([start, *moments, end]))


def test_the_stopwatch_runs() -> None:
    """It measures, and does not tell the time."""
    assert stopwatch() <= stopwatch()


def test_the_stopwatch_that_goes_on_through_sleep() -> None:
    """Where there is one, it never shows less than the other one has gone on."""
    before, first = stopwatch_through_sleep(), stopwatch()
    after = stopwatch_through_sleep()
    assert (before is None) == (after is None)
    if before is not None and after is not None:
        assert before <= after
        assert after - before >= 0 <= first


@table(
    ("start", "hours", "zone", "expected"),
    [
        ((2026, 2, 20, 11), 3, "Europe/Warsaw", "2026-02-20 12:00 to 15:00"),
        ((2026, 2, 20, 20), 3, "Europe/Warsaw", "2026-02-20 21:00 to 24:00"),
        ((2026, 2, 20, 20), 4, "Europe/Warsaw", "2026-02-20 21:00 to 2026-02-21 01:00"),
        ((2026, 2, 19, 23), 24, "Europe/Warsaw", "2026-02-20 00:00 to 24:00"),
        ((2026, 2, 15, 23), 7 * 24, "Europe/Warsaw", "2026-02-16 00:00 to 2026-02-23 00:00"),
        ((2026, 4, 23, 19), 3, "Africa/Cairo", "2026-04-23 21:00 to 2026-04-24 01:00"),
    ],
)
def test_a_stretch_of_time_is_shown_as_people_say_it(
    start: tuple[int, int, int, int], hours: int, zone: str, expected: str
) -> None:
    """The day stands there once where that is enough; a midnight that does not exist is told by its clock time."""
    begin = datetime(*start, tzinfo=UTC)
    assert expected == spoken(begin, begin + timedelta(hours=hours), zone)


def test_a_moment_to_the_minute() -> None:
    """In the zone of whoever reads it, without seconds."""
    moment = datetime(2026, 2, 20, 23, 59, 59, tzinfo=UTC)
    assert ("2026-02-20 23:59", "2026-02-21 00:59") == tuple(to_the_minute(moment, zone) for zone in ZONES[:2])
