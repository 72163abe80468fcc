"""Jobs of days and weeks: when they run, in which order, and what makes them run again."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from pipeline.backfill.plan import at, work_through
from pipeline.corrections.undo import undo
from pipeline.drafts import Draft
from pipeline.engine.runner import Runner
from pipeline.errors import ModelUnavailable, WriteFailed
from pipeline.job import Run
from schemas.outcome import Outcome
from schemas.settings import JobSettings, Settings
from schemas.window import PartitionKey, Window
from tests.support.builders.note_job import JOB as NOTE
from tests.support.builders.page_jobs import CHAIN, DAY, HOT, WEEK
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import MemorySource, conversation
from tests.support.workspaces.workbench import Workbench, endings

NewBench = Callable[..., Workbench]
WARSAW = "Europe/Warsaw"
MONDAY = datetime(2026, 3, 1, 23, tzinfo=UTC)  # midnight of 2 March in Warsaw
LONG = timedelta(days=1)
PAGE = "second-brain/summaries/2026-03-02.md"
PLAN = "memory/archive/weekly-2026-W10.md"


def noted(bench: Workbench, session_id: str, start: datetime, *texts: str, hours: float = 1) -> None:
    """The owner notes one thing after the other."""
    turns = [("owner", f"note: {text}") for text in texts]
    bench.say(conversation(session_id, start, turns, step=timedelta(hours=hours), zone=WARSAW))


def a_note_a_day(bench: Workbench, days: int, hour: int = 10) -> Workbench:
    """A session of two notes on each day from 2 March on."""
    for number in range(days):
        noted(bench, f"s{number}", MONDAY + number * LONG + timedelta(hours=hour), f"one {number}", f"two {number}")
    return bench


def keys(outcomes: Sequence[Outcome], *jobs: str) -> list[str]:
    """`job key` of what ran, without the ticks."""
    return [f"{outcome.job} {outcome.key}" for outcome in outcomes if outcome.job in (jobs or ("day", "week", "hot"))]


def moment(day: int, hour: int, minute: int = 0) -> datetime:
    """A local time of March 2026 in Warsaw, before the clocks change."""
    return datetime(2026, 3, day, hour, minute, tzinfo=UTC) - timedelta(hours=1)


def live(bench: Workbench, days: int) -> list[Outcome]:
    """A run every morning at five."""
    ran = []
    for number in range(1, days + 1):
        bench.clock.moment = MONDAY + number * LONG + timedelta(hours=5)
        ran += bench.run_due()
    return ran


def test_a_day_runs_once_after_the_first_tick_behind_it(new_bench: NewBench) -> None:
    """Not at midnight, not at the tick itself, but when it has settled; and after the last window of the day."""
    bench = a_note_a_day(new_bench(jobs=CHAIN), 1)
    for now in (moment(2, 23), moment(3, 0, 3), moment(3, 3, 21)):
        bench.clock.moment = now
        assert [] == keys(bench.run_due())
    bench.clock.moment = moment(3, 3, 22)
    assert ["day 2026-03-02"] == keys(bench.run_due())
    assert [] == keys(bench.run_due())


def test_a_day_waits_for_what_it_depends_on(new_bench: NewBench) -> None:
    """When the windows upstream close later than the day itself, it is they that count; so does the week after it."""
    late = Settings(timezone=WARSAW, start=MONDAY, jobs={"day": JobSettings(schedule="0 9 * * *")})
    bench = a_note_a_day(new_bench(jobs=CHAIN, settings=late), 7)
    bench.clock.moment = moment(9, 9, 1)
    assert [f"day 2026-03-0{number}" for number in range(2, 8)] == keys(bench.run_due())
    bench.clock.moment = moment(9, 9, 2)
    assert ["day 2026-03-08", "week 2026-W10", "hot 2026-W10"] == keys(bench.run_due())


def test_all_run_in_the_order_of_their_time_and_need(new_bench: NewBench) -> None:
    """What closes at the same moment runs upstream first, so that each sees what it depends on."""
    bench = a_note_a_day(new_bench(jobs=CHAIN[::-1]), 7)
    bench.clock.moment = moment(9, 5)
    outcomes = bench.run_due()
    assert [f"day 2026-03-0{number}" for number in range(2, 9)] == keys(outcomes, "day")
    assert ["note", "day", "week", "hot"] == [
        outcome.job for outcome in outcomes if outcome.window.end == MONDAY + 7 * LONG
    ]
    assert 14 == bench.pages()["MEMORY.md"].count(b"\n- ")


@pytest.mark.parametrize("failing", ["note", "day", "week"])
@pytest.mark.parametrize("error", [WriteFailed("x", "no space"), ModelUnavailable("m", "down")])
def test_what_depends_on_a_failure_waits(new_bench: NewBench, failing: str, error: Exception) -> None:
    """It is passed over in this series, and only for that time; the next run catches up, to the same bytes."""

    def run(given: Run) -> Sequence[Draft]:
        if not mended and given.window.end > MONDAY + timedelta(days=6, hours=3):
            raise error
        return named[failing].run(given)

    mended = list[bool]()
    named = {job.name: job for job in CHAIN}
    jobs = tuple(replace(job, run=run) if job.name == failing else job for job in CHAIN)
    bench = a_note_a_day(new_bench(jobs=jobs), 7)
    bench.clock.moment = moment(9, 5)
    ran = keys([outcome for outcome in bench.run_due() if outcome.ending in {"done", "empty"}])
    days = [f"day 2026-03-0{number}" for number in range(2, 8 if failing != "week" else 9)]
    assert days == ran
    mended.append(True)
    assert ["week 2026-W10", "hot 2026-W10"] == keys(bench.run_due())[-2:]
    other = a_note_a_day(new_bench(root=bench.root / "other", jobs=CHAIN), 7)
    other.clock.moment = moment(9, 5)
    other.run_due()
    assert other.pages() == {name: page for name, page in bench.pages().items() if not name.startswith("other")}


def test_a_failed_day_does_not_keep_other_weeks(new_bench: NewBench) -> None:
    """The day of one week fails for good: that week waits, the next one runs."""

    def run(given: Run) -> Sequence[Draft]:
        if given.key == "2026-03-04":
            raise WriteFailed(given.key, "no space")
        return DAY.run(given)

    bench = a_note_a_day(new_bench(jobs=(NOTE, replace(DAY, run=run), WEEK)), 14)
    bench.clock.moment = moment(16, 5)
    assert ["week 2026-W11"] == keys(bench.run_due(), "week")
    assert [] == keys(bench.run_due(), "week")


def test_a_late_message_makes_its_day_stale(new_bench: NewBench) -> None:
    """Whole days are rendered again, once, with what is new in its place; nothing else is."""
    bench = a_note_a_day(new_bench(jobs=(NOTE, DAY, replace(WEEK, writes=replace(WEEK.writes, final=False)))), 7)
    bench.clock.moment = moment(9, 5)
    bench.run_due()
    before = bench.pages()
    noted(bench, "late", MONDAY + LONG + timedelta(hours=10.5), "late")
    assert ["day 2026-03-03"] == keys(bench.run_due())
    after = bench.pages()
    changed = [name for name in after if before.get(name) != after[name]]
    assert ["memory/2026-03-03.md", "second-brain/summaries/2026-03-03.md"] == changed
    texts = [line.split(b" <!")[0] for line in after[changed[1]].splitlines() if line.startswith(b"- ")]
    assert [b"- one 1", b"- late", b"- two 1"] == texts
    assert [] == bench.run_due()


def test_a_message_in_a_day_that_was_empty_makes_it_stale(new_bench: NewBench) -> None:
    """A day of which nothing was known has a page by the next run."""
    bench = new_bench(jobs=(NOTE, DAY))
    assert {"empty"} == set(endings(bench.run_due()))
    assert {} == bench.pages()
    noted(bench, "late", MONDAY + timedelta(hours=10), "late")
    assert ["day 2026-03-02"] == keys(bench.run_due())
    assert PAGE in bench.pages()


def test_a_start_in_the_middle_of_a_day_clips(new_bench: NewBench) -> None:
    """The first day and the first week begin there, and are named as the whole ones are."""
    start = moment(4, 12)
    bench = a_note_a_day(new_bench(jobs=CHAIN, settings=Settings(timezone=WARSAW, start=start)), 7, hour=11)
    bench.clock.moment = moment(9, 5)
    outcomes = bench.run_due()
    first_day, *_, week, hot = [outcome for outcome in outcomes if outcome.job != "note"]
    assert ("2026-03-04", start, moment(5, 0)) == (first_day.key, first_day.window.start, first_day.window.end)
    assert ("2026-W10", start, moment(9, 0)) == (week.key, week.window.start, week.window.end)
    assert week.window == hot.window
    assert (False, True) == (b"one 2" in bench.pages()[PLAN], b"two 2" in bench.pages()[PLAN])


def test_a_late_message_after_the_start_keeps_what_a_back_fill_wrote_before_it(new_bench: NewBench) -> None:
    """The first day was back-filled as a whole; when it is stale, the whole of it is rendered again."""
    settings = Settings(timezone=WARSAW, start=moment(2, 12))
    bench = new_bench(jobs=(NOTE, DAY), settings=settings)
    noted(bench, "s", moment(2, 8), "morning", "noon", hours=5)
    bench.clock.moment = moment(3, 5)
    bench.run_due()
    assert b"morning" not in bench.pages()[PAGE]
    noted(bench, "s2", moment(2, 7), "early")
    bench.backfill(date(2026, 3, 2), date(2026, 3, 2))
    assert b"morning" in bench.pages().get(PAGE, b"")
    noted(bench, "late", moment(2, 15), "late")
    bench.run_due()
    assert [b"early", b"morning", b"noon", b"late"] == [
        line.split(b" ")[1] for line in bench.pages()[PAGE].splitlines() if line.startswith(b"- ")
    ]
    assert [] == bench.run_due()
    assert [] == bench.backfill(date(2026, 3, 2), date(2026, 3, 2))


def test_a_back_fill_takes_the_windows_that_start_on_its_days(new_bench: NewBench) -> None:
    """Weeks whose Monday is among them, whole days, and nothing that has not closed."""
    bench = a_note_a_day(new_bench(jobs=CHAIN, settings=Settings(timezone=WARSAW)), 14)
    bench.clock.moment = moment(15, 5)
    assert ["day 2026-03-03", "day 2026-03-04"] == keys(bench.backfill(date(2026, 3, 3), date(2026, 3, 4)))
    assert ["day 2026-03-02", "week 2026-W10", "hot 2026-W10"] == keys(
        bench.backfill(date(2026, 3, 2), date(2026, 3, 2))
    )
    assert ["day 2026-03-09"] == keys(bench.backfill(date(2026, 3, 9), date(2026, 3, 9)))
    rest = keys(bench.backfill(date(2026, 3, 5), date(2026, 3, 20)))
    assert [f"day 2026-03-{number:02d}" for number in (5, 6, 7, 8, 10, 11, 12, 13, 14)] == rest
    assert [] == bench.backfill(date(2026, 3, 2), date(2026, 3, 20))


def test_one_back_fill_is_many_mornings(new_bench: NewBench, tmp_path: Path) -> None:
    """The same bytes, whether the days were run as they came, all at once, or long after; and a second run is none."""
    source = MemorySource()
    day_by_day = a_note_a_day(new_bench(root=tmp_path / "live", jobs=CHAIN, source=source), 14)
    live(day_by_day, 14)
    at_once = new_bench(root=tmp_path / "once", jobs=CHAIN, source=source, clock=FixedClock(moment(16, 5)))
    at_once.run_due()
    years = FixedClock(datetime(2031, 1, 1, tzinfo=UTC))
    filled = new_bench(
        root=tmp_path / "filled", jobs=CHAIN, source=source, settings=Settings(timezone=WARSAW), clock=years
    )
    filled.backfill(date(2026, 3, 2), date(2026, 3, 15))
    assert day_by_day.pages() == at_once.pages() == filled.pages()
    for bench in (day_by_day, filled):
        assert [] == bench.run_due()
        assert [] == bench.backfill(date(2026, 3, 2), date(2026, 3, 15))
        assert at_once.pages() == bench.pages()


@pytest.mark.parametrize(
    ("zone", "first", "last"),
    [
        (WARSAW, date(2026, 3, 23), date(2026, 3, 31)),
        ("Africa/Cairo", date(2026, 10, 26), date(2026, 11, 3)),
        pytest.param(WARSAW, date(2026, 10, 19), date(2026, 10, 27), marks=pytest.mark.soak),
        pytest.param("Africa/Cairo", date(2026, 4, 20), date(2026, 4, 28), marks=pytest.mark.soak),
        pytest.param("Asia/Shanghai", date(2026, 3, 23), date(2026, 3, 31), marks=pytest.mark.soak),
    ],
)
def test_when_the_clocks_change_every_note_is_in_its_day_once(
    new_bench: NewBench, zone: str, first: date, last: date
) -> None:
    """A note every eighty minutes over nine days: each in the page of its local day."""
    start = datetime.combine(first, datetime.min.time(), UTC) - timedelta(hours=12)
    count = 10 * 18
    bench = new_bench(jobs=(NOTE, DAY, WEEK), settings=Settings(timezone=zone))
    said = [("owner", f"note: n{number}.") for number in range(count)]
    talk = conversation("s", start, said, step=timedelta(minutes=80), zone=zone)
    bench.say(talk)
    bench.clock.moment = start + timedelta(days=20)
    bench.backfill(first, last)
    text = {name: page.decode() for name, page in bench.pages().items()}
    pages = {name: page for name, page in text.items() if name.startswith("second-brain")}
    assert 9 == len(pages)
    for message in talk.messages:
        day = message.time.astimezone(ZoneInfo(zone)).date()
        word = message.text.removeprefix("note: ")
        wanted = [f"second-brain/summaries/{day}.md"] if first <= day <= last else []
        assert wanted == [name for name, page in pages.items() if f"- {word} " in page]


def test_a_run_of_a_moment_sees_no_more_and_the_whole_runs_later(new_bench: NewBench) -> None:
    """`--at` in the middle of a day and a week: the page of so far; when they close, the whole is rendered."""
    bench = a_note_a_day(new_bench(jobs=CHAIN), 7)
    bench.engine.catalog.refresh()
    bench.clock.moment = moment(4, 20)
    list(work_through(Runner(bench.engine), at(bench.engine, bench.engine.jobs, moment(4, 10, 30))))
    assert (True, False) == tuple(
        text in bench.pages()["second-brain/summaries/2026-03-04.md"] for text in (b"one 2", b"two 2")
    )
    assert b"one 2" in bench.pages()["MEMORY.md"]
    other = a_note_a_day(new_bench(root=bench.root / "other", jobs=CHAIN), 7)
    bench.clock.moment = other.clock.moment = moment(9, 5)
    bench.run_due()
    other.run_due()
    mine = {name: page for name, page in bench.pages().items() if not name.startswith("other")}
    assert sorted(line for page in other.pages().values() for line in page.splitlines()) == sorted(
        line for page in mine.values() for line in page.splitlines()
    )
    assert [] == bench.run_due()


def test_a_final_page_is_left_alone_once_it_is_used(new_bench: NewBench) -> None:
    """Whatever comes late, and whatever a back-fill asks; when what used it is undone, it runs again."""
    bench = a_note_a_day(new_bench(jobs=CHAIN), 7)
    bench.clock.moment = moment(9, 5)
    (hot,) = [outcome for outcome in bench.run_due() if outcome.job == "hot"]
    week = Window(start=MONDAY, end=MONDAY + 7 * LONG)
    (stretch,) = bench.engine.ledger.coverage.stretches("week", week)
    bench.engine.ledger.coverage.mark_stale(stretch)
    noted(bench, "late", MONDAY + LONG, "late")
    assert ["day 2026-03-03"] == keys(bench.run_due())
    assert [] == keys(bench.backfill(date(2026, 3, 2), date(2026, 3, 2)))
    assert b"late" not in bench.pages()[PLAN]
    undo(bench.engine, hot.run_id)
    assert "MEMORY.md" not in bench.pages()
    assert ["week 2026-W10", "hot 2026-W10"] == keys(bench.backfill(date(2026, 3, 2), date(2026, 3, 2)))
    assert (True, True) == tuple(b"late" in bench.pages()[name] for name in (PLAN, "MEMORY.md"))


def test_a_final_page_that_was_used_meanwhile_is_left_alone(new_bench: NewBench) -> None:
    """A run that was planned before the page was used finds so once it holds the lock."""
    bench = a_note_a_day(new_bench(jobs=CHAIN), 7)
    bench.clock.moment = moment(9, 5)
    (planned,) = [outcome.key for outcome in bench.run_due() if outcome.job == "week"]
    (stretch,) = bench.engine.ledger.coverage.stretches("week")
    bench.engine.ledger.coverage.mark_stale(stretch)
    partition = PartitionKey(key=planned, window=stretch.window)
    assert Runner(bench.engine).run(WEEK, partition, again=True) is None


def test_a_final_page_that_nobody_used_yet_is_rendered_again(new_bench: NewBench) -> None:
    """The week's page was written and the next job failed: a page that changes before that is no harm."""

    def failing(run: Run) -> Sequence[Draft]:
        raise WriteFailed(run.key, "no space")

    bench = a_note_a_day(new_bench(jobs=(*CHAIN[:3], replace(HOT, run=failing))), 7)
    bench.clock.moment = moment(9, 5)
    bench.run_due()
    (stretch,) = bench.engine.ledger.coverage.stretches("week")
    bench.engine.ledger.coverage.mark_stale(stretch)
    noted(bench, "late", MONDAY + LONG, "late")
    after = bench.reopen(jobs=CHAIN)
    assert ["day 2026-03-03", "week 2026-W10", "hot 2026-W10"] == keys(after.run_due())
    assert b"late" in after.pages()["MEMORY.md"]


def test_days_after_another_zone_are_whole(new_bench: NewBench) -> None:
    """No note is lost from the pages when the workspace moves east."""
    bench = new_bench(jobs=(NOTE, DAY))
    said = [("owner", f"note: n{number}.") for number in range(72)]
    bench.say(conversation("s", MONDAY, said, step=LONG / 12, zone=WARSAW))
    bench.clock.moment = moment(4, 5)
    bench.run_due()
    moved = bench.reopen(settings=Settings(timezone="Asia/Shanghai", start=MONDAY))
    moved.clock.moment = moment(9, 5)
    moved.run_due()
    pages = b"".join(page for name, page in moved.pages().items() if name.startswith("second-brain"))
    assert [] == moved.run_due()
    assert [] == [number for number in range(72) if f"- n{number}. ".encode() not in pages]


def test_a_lost_ledger_renders_no_day_twice(new_bench: NewBench) -> None:
    """Days with a page are done; what comes next goes on."""
    bench = a_note_a_day(new_bench(jobs=CHAIN), 10)
    live(bench, 8)
    before = bench.pages()
    bench.engine.ledger.store.close()
    for file in (bench.root / ".memory").glob("state.db*"):
        file.unlink()
    again = replace(bench)
    assert [] == keys(again.run_due())
    assert before == again.pages()
    again.clock.move(2 * LONG)
    assert ["day 2026-03-10", "day 2026-03-11"] == keys(again.run_due())


def test_a_page_of_all_weeks_that_is_gone_is_rendered_by_the_next_run(new_bench: NewBench) -> None:
    """Taken away as a whole, it has lost nothing; nobody has to wait for the week's end."""
    bench = a_note_a_day(new_bench(jobs=CHAIN), 10)
    live(bench, 9)
    whole = bench.pages()
    (bench.root / "MEMORY.md").unlink()
    assert ["hot 2026-W10"] == keys(bench.run_due())
    assert whole == bench.pages()
    assert [] == bench.run_due()
