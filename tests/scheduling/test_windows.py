"""Windows: they cover any stretch of time without a gap, whatever the zone does, and lie inside one local day."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.clock import day_start, local_day
from pipeline.job import Period, Schedule
from pipeline.ledger.coverage import State, Stretch, cut_window, subtract
from pipeline.scheduling.crontab import next_fire
from pipeline.scheduling.windows import (
    closed_until,
    closes,
    due,
    last_edge,
    ticks,
    window_around,
    window_at,
)
from schemas.window import Window
from tests.support.marks import examples
from tests.support.tables import table

ZONES = st.sampled_from([
    "UTC",
    "Europe/Warsaw",
    "Asia/Shanghai",
    "Africa/Cairo",
    "America/Havana",
    "Australia/Lord_Howe",
    "America/New_York",
])  # fmt: skip
CRONS = st.sampled_from([
    "0 * * * *",
    "*/30 * * * *",
    "0 */6 * * *",
    "30 2 * * *",
    "0 0 * * *",
    "59 23 * * *",
    "15 1-3 * * *",
    "0 9,18 * * mon-fri",
    "0 3 * * sun",
    "0 0 1 * *",
    "0 3 13 * fri",
    "30 2 */2 * mon",
])  # fmt: skip
# Half of the moments lie around a change of clocks somewhere, where all the trouble is.
CHANGES = st.sampled_from([
    datetime(2026, 3, 8, 5, tzinfo=UTC),
    datetime(2026, 3, 29, 1, tzinfo=UTC),
    datetime(2026, 4, 4, 15, tzinfo=UTC),
    datetime(2026, 4, 23, 22, tzinfo=UTC),
    datetime(2026, 10, 3, 15, tzinfo=UTC),
    datetime(2026, 10, 25, 1, tzinfo=UTC),
    datetime(2026, 10, 29, 21, tzinfo=UTC),
    datetime(2026, 11, 1, 5, tzinfo=UTC),
])  # fmt: skip
NEAR = st.builds(lambda moment, minutes: moment + timedelta(minutes=minutes), CHANGES, st.integers(-3000, 3000))
ZERO = datetime(2025, 1, 1, tzinfo=UTC)
MOMENTS = NEAR | st.integers(0, 5 * 366 * 24 * 3600).map(lambda seconds: ZERO + timedelta(seconds=seconds))
SPANS = st.builds(
    lambda start, minutes: Window(start=start, end=start + timedelta(minutes=minutes)), MOMENTS, st.integers(1, 6000)
)
SETTLE = timedelta(minutes=2)
DAY_LONG = timedelta(days=1)


def stretch(start: datetime, end: datetime, state: State = State.COVERED, *, stale: bool = False) -> Stretch:
    """Time that a run has dealt with."""
    return Stretch(1, Window(start=start, end=end), state, "r", stale)


@given(CRONS, ZONES, SPANS)
def test_windows_cover_any_span_without_gap_or_overlap(cron: str, zone: str, span: Window) -> None:
    """From the span's start to its end, each window begins where the one before ended."""
    windows = due(Schedule(cron), zone, span, [])
    assert (span.start, span.end) == (windows[0].start, windows[-1].end)
    assert all(first.end == second.start for first, second in pairwise(windows))
    assert all(window.start < window.end for window in windows)


@given(CRONS, ZONES, SPANS)
def test_every_window_lies_inside_one_local_day(cron: str, zone: str, span: Window) -> None:
    """So an entry confirmed in it belongs to one file."""
    for window in due(Schedule(cron), zone, span, []):
        assert local_day(window.start, zone) == local_day(window.end - timedelta(microseconds=1), zone)


@given(CRONS, ZONES, SPANS, st.data())
def test_ticks_do_not_depend_on_where_one_looks_from(cron: str, zone: str, span: Window, data: st.DataObject) -> None:
    """The ticks of two halves are the ticks of the whole, so a window has the same edges in every run."""
    middle = data.draw(st.datetimes(span.start.replace(tzinfo=None), span.end.replace(tzinfo=None))).replace(tzinfo=UTC)
    halves = [Window(start=span.start, end=middle), Window(start=middle, end=span.end)]
    assert ticks(cron, zone, span) == [tick for half in halves for tick in ticks(cron, zone, half)]


@given(CRONS, ZONES, MOMENTS)
def test_the_window_of_a_moment_ends_there(cron: str, zone: str, moment: datetime) -> None:
    """`--at T` sees nothing after T, and starts at the last tick before."""
    window = window_at(Schedule(cron), zone, moment)
    assert moment == window.end
    assert window.start < moment
    assert [] == [tick for tick in ticks(cron, zone, window) if tick < moment]
    assert window.start in ticks(cron, zone, Window(start=window.start - timedelta(hours=1), end=window.start))


@given(CRONS, ZONES, MOMENTS)
def test_the_window_around_a_moment_is_whole(cron: str, zone: str, moment: datetime) -> None:
    """It reaches from tick to tick, and is among the windows of its day."""
    window = window_around(Schedule(cron), zone, moment)
    day = local_day(moment, zone)
    span = Window(start=day_start(day, zone), end=day_start(day + timedelta(days=1), zone))
    assert moment in window
    assert window in due(Schedule(cron), zone, span, [])


@given(CRONS, ZONES, MOMENTS)
def test_a_window_closes_only_when_it_has_settled(cron: str, zone: str, now: datetime) -> None:
    """The last closed window ended at a tick at least the margin ago, and no later tick has settled."""
    closed = closed_until(Schedule(cron, SETTLE), zone, now)
    assert closed is not None
    assert closed <= now - SETTLE
    assert [] == ticks(cron, zone, Window(start=closed, end=now - SETTLE))


@given(CRONS, CRONS, ZONES, ZONES, SPANS, st.data())
def test_another_schedule_or_zone_makes_nothing_missing_or_doubled(  # noqa: PLR0913, PLR0917 - two worlds and a cut
    cron: str, new_cron: str, zone: str, new_zone: str, span: Window, data: st.DataObject
) -> None:
    """After a change, exactly the time not covered before is due."""
    windows = due(Schedule(cron), zone, span, [])
    done = windows[: data.draw(st.integers(0, len(windows)))]
    stretches = [stretch(window.start, window.end) for window in done]
    left = due(Schedule(new_cron), new_zone, span, stretches)
    start = done[-1].end if done else span.start
    assert (start, span.end) == (left[0].start, left[-1].end) if left else start == span.end
    assert all(first.end == second.start for first, second in pairwise(left))


@table(
    ("zone", "day", "cron", "starts"),
    [
        ("Europe/Warsaw", date(2026, 3, 29), "0 */6 * * *", ["00:00", "06:00", "12:00", "18:00"]),
        ("Europe/Warsaw", date(2026, 3, 29), "30 2 * * *", ["00:00", "03:30"]),
        ("Europe/Warsaw", date(2026, 10, 25), "0 */6 * * *", ["00:00", "06:00", "12:00", "18:00"]),
        ("Asia/Shanghai", date(2026, 3, 29), "0 */6 * * *", ["00:00", "06:00", "12:00", "18:00"]),
        ("Africa/Cairo", date(2026, 4, 24), "0 */6 * * *", ["01:00", "06:00", "12:00", "18:00"]),
        ("Africa/Cairo", date(2026, 10, 29), "0 */6 * * *", ["00:00", "06:00", "12:00", "18:00"]),
    ],
)
def test_days_of_a_change(zone: str, day: date, cron: str, starts: list[str]) -> None:
    """The windows of a day on which the clocks change, by their local start; the night is in one of them."""
    span = Window(start=day_start(day, zone), end=day_start(day + timedelta(days=1), zone))
    windows = due(Schedule(cron), zone, span, [])
    local = [f"{window.start.astimezone(ZoneInfo(zone)):%H:%M}" for window in windows]
    assert starts == local
    assert span.end == windows[-1].end


def test_the_hour_that_comes_twice_is_one_window() -> None:
    """Hourly windows of Warsaw's long night: the hour that comes twice is in one window of two hours."""
    span = Window(start=datetime(2026, 10, 24, 23, tzinfo=UTC), end=datetime(2026, 10, 25, 3, tzinfo=UTC))
    hours = [
        (window.end - window.start) // timedelta(hours=1)
        for window in due(Schedule("0 * * * *"), "Europe/Warsaw", span, [])
    ]
    assert [1, 2, 1] == hours


def test_what_is_stale_runs_as_it_ran() -> None:
    """A stale stretch keeps its edges, beside missing time, and the rest stays covered."""
    start = datetime(2026, 3, 2, tzinfo=UTC)
    hours = [start + timedelta(hours=number) for number in range(0, 25, 6)]
    span = Window(start=start, end=hours[4])
    stretches = [stretch(hours[0], hours[1]), stretch(hours[1], hours[2], stale=True)]
    assert [(hours[1], hours[2]), (hours[2], hours[3]), (hours[3], hours[4])] == [
        (window.start, window.end) for window in due(Schedule("0 */6 * * *"), "UTC", span, stretches)
    ]


def test_a_stale_window_stays_inside_one_day_when_the_zone_has_changed() -> None:
    """What was one evening in Warsaw is two days in Shanghai: it runs in two parts."""
    span = Window(start=datetime(2026, 3, 2, tzinfo=UTC), end=datetime(2026, 3, 3, tzinfo=UTC))
    evening = stretch(datetime(2026, 3, 2, 11, tzinfo=UTC), datetime(2026, 3, 2, 17, tzinfo=UTC), stale=True)
    rest = [stretch(span.start, evening.window.start), stretch(evening.window.end, span.end)]
    windows = due(Schedule("0 0 * * *"), "Asia/Shanghai", span, [*rest, evening])
    assert cut_window(evening.window, [datetime(2026, 3, 2, 16, tzinfo=UTC)]) == windows


@table("state", [State.UNKNOWN, State.UNDONE])
def test_only_a_back_fill_touches_unknown_and_undone_time(state: State) -> None:
    """The scheduler leaves them alone."""
    span = Window(start=datetime(2026, 3, 2, tzinfo=UTC), end=datetime(2026, 3, 2, 6, tzinfo=UTC))
    stretches = [stretch(span.start, span.end, state)]
    assert [] == due(Schedule("0 */6 * * *"), "UTC", span, stretches)
    assert [span] == due(Schedule("0 */6 * * *"), "UTC", span, stretches, again=True)


PERIODS = st.sampled_from([Period.DAY, Period.WEEK])
PLACES = ZONES | st.just("America/Santiago")
NIGHTLY = st.sampled_from(["20 3 * * *", "30 0 * * *", "0 2 * * mon", "0 12 * * wed"]) | CRONS
INSTANT = timedelta(microseconds=1)


def whole(period: Period, zone: str, day: date) -> Window:
    """The day, or the week that begins with Monday, that a date lies in, told without the scheduler."""
    first = day - timedelta(days=day.weekday() if period is Period.WEEK else 0)
    days = 7 if period is Period.WEEK else 1
    return Window(start=day_start(first, zone), end=day_start(first + timedelta(days=days), zone))


def fires(cron: str, zone: str, start: datetime, end: datetime) -> list[datetime]:
    """The moments from `start` to `end`, both inside, at which a crontab line fires in whole tens of minutes."""
    place = ZoneInfo(zone)
    wall = (start.astimezone(place) - timedelta(hours=4)).replace(tzinfo=UTC, minute=0, second=0, microsecond=0)
    moments = set[datetime]()
    while wall <= (end.astimezone(place) + timedelta(hours=4)).replace(tzinfo=UTC):
        if next_fire(cron, wall) == wall:
            moments.add(wall.replace(tzinfo=place).astimezone(UTC))
        wall += timedelta(minutes=10)
    return sorted(moment for moment in moments if start <= moment <= end)


@given(PERIODS, NIGHTLY, PLACES, SPANS | st.builds(lambda item: Window(start=item, end=item + 20 * DAY_LONG), MOMENTS))
def test_days_and_weeks_tile_any_span(period: Period, cron: str, zone: str, span: Window) -> None:
    """Without gap or overlap; each lies inside one day or week, and all edges but the span's own are the period's."""
    windows = due(Schedule(cron, period=period), zone, span, [])
    assert (span.start, span.end) == (windows[0].start, windows[-1].end)
    assert all(first.end == second.start for first, second in pairwise(windows))
    for window in windows:
        around = whole(period, zone, local_day(window.start, zone))
        assert (max(around.start, span.start), min(around.end, span.end)) == (window.start, window.end)


@given(PERIODS, NIGHTLY, PLACES, MOMENTS)
def test_the_day_or_week_of_a_moment(period: Period, cron: str, zone: str, moment: datetime) -> None:
    """`--at T` ends at T, and begins with the day or week; on an edge, that is the one which the edge closes."""
    schedule = Schedule(cron, period=period)
    before = whole(period, zone, local_day(moment - INSTANT, zone))
    assert Window(start=before.start, end=moment) == window_at(schedule, zone, moment)
    around = whole(period, zone, local_day(moment, zone))
    assert around == window_around(schedule, zone, moment)
    assert around.start == last_edge(schedule, zone, moment)


@given(PERIODS, NIGHTLY, PLACES, MOMENTS)
def test_a_day_or_week_closes_after_the_first_tick_behind_it(
    period: Period, cron: str, zone: str, moment: datetime
) -> None:
    """Not at midnight, unless the crontab line says so; `closes` and `closed_until` tell the same."""
    schedule = Schedule(cron, SETTLE, period)
    window = window_around(schedule, zone, moment)
    moment_of_run = closes(schedule, zone, window)
    assert moment_of_run - SETTLE >= window.end
    before, then = (closed_until(schedule, zone, now) for now in (moment_of_run - INSTANT, moment_of_run))
    assert then is not None
    assert (True, True) == (before is None or before < window.end, then >= window.end)
    assert then == last_edge(schedule, zone, then)


@given(PERIODS, st.sampled_from(["20 3 * * *", "0 0 * * *", "30 0 * * *", "0 2 * * mon"]), PLACES, NEAR)
@settings(max_examples=examples(10))
def test_the_tick_behind_a_day_is_the_first_there_is(period: Period, cron: str, zone: str, moment: datetime) -> None:
    """As trying every ten minutes of a week tells."""
    schedule = Schedule(cron, SETTLE, period)
    window = window_around(schedule, zone, moment)
    moments = fires(cron, zone, window.end, window.end + 8 * DAY_LONG)
    assert moments[0] + SETTLE == closes(schedule, zone, window)


@given(PERIODS, NIGHTLY, PLACES, SPANS, st.lists(st.tuples(st.integers(0, 6000), st.integers(1, 3000)), max_size=4))
def test_what_is_partly_covered_runs_whole(
    period: Period, cron: str, zone: str, span: Window, covered: list[tuple[int, int]]
) -> None:
    """Every day or week with a gap runs as a whole, those without one do not run."""
    minutes = [(span.start + timedelta(minutes=first), timedelta(minutes=length)) for first, length in covered]
    stretches = [stretch(start, min(start + length, span.end)) for start, length in minutes if start < span.end]
    missing = subtract(span, [item.window for item in stretches])
    everything = due(Schedule(cron, period=period), zone, span, [])
    with_gap = [
        window for window in everything if any(gap.start < window.end and window.start < gap.end for gap in missing)
    ]
    assert with_gap == due(Schedule(cron, period=period), zone, span, stretches)


@table("state", [State.COVERED, State.UNKNOWN, State.UNDONE])
@table("stale", [True, False])
@table("again", [True, False])
def test_which_days_run_again(state: State, *, stale: bool, again: bool) -> None:
    """A stale one by itself; an unknown or undone one by a back-fill."""
    day = whole(Period.DAY, "Europe/Warsaw", date(2026, 3, 29))
    windows = due(
        Schedule("20 3 * * *", period=Period.DAY),
        "Europe/Warsaw",
        day,
        [stretch(day.start, day.end, state, stale=stale)],
        again=again,
    )
    assert ([day] if stale or (again and state is not State.COVERED) else []) == windows


@table(
    ("zone", "day", "hours"),
    [
        ("Europe/Warsaw", date(2026, 3, 29), 23),
        ("Europe/Warsaw", date(2026, 10, 25), 25),
        ("Africa/Cairo", date(2026, 4, 24), 23),
        ("Africa/Cairo", date(2026, 10, 29), 25),
        ("America/Havana", date(2026, 11, 1), 25),
    ],
)
def test_the_hours_of_a_day_on_which_clocks_change(zone: str, day: date, hours: int) -> None:
    """The day is one window, and the week with it is one of as many hours more or less."""
    for period, expected in ((Period.DAY, hours), (Period.WEEK, 6 * 24 + hours)):
        window = whole(period, zone, day)
        assert [window] == due(Schedule("20 3 * * *", period=period), zone, window, [])
        assert timedelta(hours=expected) == window.end - window.start


def test_a_day_before_a_missing_midnight_closes_at_the_moment_of_the_change() -> None:
    """In Cairo's spring there is no midnight: a line that names it is due at one o'clock, not a day later."""
    schedule = Schedule("0 0 * * *", SETTLE, Period.DAY)
    change = datetime(2026, 4, 23, 22, tzinfo=UTC)
    assert change == closed_until(schedule, "Africa/Cairo", change + SETTLE)
    assert change + SETTLE == closes(schedule, "Africa/Cairo", whole(Period.DAY, "Africa/Cairo", date(2026, 4, 23)))


def test_a_day_that_began_before_the_span_runs_from_where_it_is_covered() -> None:
    """A back-fill did the whole day, of which `start` lies in the middle: when stale, it is the whole day that runs."""
    day = whole(Period.DAY, "Europe/Warsaw", date(2026, 3, 2))
    span = Window(start=day.start + timedelta(hours=14), end=day.end + DAY_LONG)
    after = Window(start=day.end, end=span.end)
    schedule = Schedule("20 3 * * *", period=Period.DAY)
    assert [day, after] == due(schedule, "Europe/Warsaw", span, [stretch(day.start, day.end, stale=True)])
    assert [day, after] == due(schedule, "Europe/Warsaw", span, [stretch(day.start, day.end - timedelta(hours=2))])
    clipped = Window(start=span.start, end=day.end)
    assert [clipped, after] == due(schedule, "Europe/Warsaw", span, [])
