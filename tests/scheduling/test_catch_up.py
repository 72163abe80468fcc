"""What a job's settings leave to a back-fill: `catch_up` and `max_age`, for `memory run` and the service alike."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from pipeline.backfill.plan import due_now
from pipeline.engine.partitioning.clocked import JUST_NOW
from pipeline.job import Job, Schedule
from schemas.service_settings import CatchUp
from schemas.settings import JobSettings, Settings
from schemas.transcript import Session
from tests.support.builders.note_job import JOB as NOTE
from tests.support.builders.page_jobs import DAY, WEEK
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench, endings

NewBench = Callable[..., Workbench]
START = datetime(2026, 3, 1, 23, tzinfo=UTC)
"""Monday in Warsaw; the clock of a workbench shows noon of Wednesday, and windows of `note` end every six hours."""

CLOSED = datetime(2026, 3, 4, 11, tzinfo=UTC)
"""The end of the last window that has closed."""

SETTLE = Schedule("* * * * *").settle
AWAY = timedelta(hours=6)


def bench_fields(jobs: tuple[Job, ...] = (NOTE,), **settings: object) -> dict[str, object]:
    """What makes a bench whose jobs have these settings."""
    job_settings = JobSettings.model_validate(settings)
    chosen = Settings(timezone="Europe/Warsaw", start=START, jobs={job.name: job_settings for job in jobs})
    return {"jobs": jobs, "settings": chosen}


def ends(bench: Workbench, name: str = "note") -> list[datetime]:
    """The ends of a job's windows that are due, oldest first."""
    plan = due_now(bench.engine, bench.engine.jobs)
    return [planned.window.end for planned in plan if planned.job.name == name]


def talk(text: str, start: datetime, session_id: str = "s1") -> Session:
    """The owner says one thing."""
    return conversation(session_id, start, [("owner", text)])


@pytest.fixture
def bench(new_bench: NewBench) -> Callable[..., Workbench]:
    """Makes benches at three minutes past noon, a minute after the last window has closed."""

    def new(jobs: tuple[Job, ...] = (NOTE,), **settings: object) -> Workbench:
        made = new_bench(**bench_fields(jobs, **settings))
        made.clock.moment = CLOSED + timedelta(minutes=3)
        return made

    return new


def test_without_a_word_all_is_caught_up(bench: NewBench) -> None:
    """Ten windows in two days and a half."""
    assert 10 == len(ends(bench()))


def test_only_the_latest_window(bench: NewBench) -> None:
    """The one that closed last; once it is done, no older one takes its place."""
    due = bench(catch_up="latest")
    assert [CLOSED] == ends(due)
    assert ["empty"] == endings(due.run_due())
    assert [] == ends(due)
    due.clock.move(AWAY)
    assert [CLOSED + AWAY] == ends(due)
    due.clock.move(AWAY)
    assert [CLOSED + 2 * AWAY] == ends(due)


def test_no_window_that_closed_long_ago(bench: NewBench) -> None:
    """One that has just closed runs, for the time that retries of a failure take."""
    due = bench(catch_up="none")
    assert [CLOSED] == ends(due)
    due.clock.moment = CLOSED + SETTLE + JUST_NOW
    assert [CLOSED] == ends(due)
    due.clock.move(timedelta(seconds=1))
    assert [] == ends(due)


def test_windows_of_a_certain_age_are_left(bench: NewBench) -> None:
    """Counted from when they closed."""
    due = bench(max_age="PT12H")
    assert [CLOSED - AWAY, CLOSED] == ends(due)
    due.clock.moment = CLOSED + SETTLE + timedelta(hours=12)
    assert CLOSED == ends(due)[0]
    due.clock.move(timedelta(seconds=1))
    assert CLOSED + AWAY == ends(due)[0]


@pytest.mark.parametrize("catch_up", list(CatchUp))
def test_a_stale_window_is_treated_like_a_missing_one(bench: NewBench, catch_up: CatchUp) -> None:
    """A late message makes an old window run again only where all is caught up."""
    due = bench(catch_up=catch_up)
    due.run_due()
    due.backfill(START.date() + timedelta(days=1), CLOSED.date())
    due.say(talk("note: late", START + timedelta(hours=10)))
    due.engine.catalog.refresh()
    assert (1 if catch_up is CatchUp.ALL else 0) == len(ends(due))
    due.say(talk("note: later", CLOSED - timedelta(hours=1), "s2"))
    due.engine.catalog.refresh()
    assert CLOSED == ends(due)[-1]


@pytest.mark.parametrize("left", [{"catch_up": "latest"}, {"catch_up": "none"}, {"max_age": "PT1H"}])
def test_a_talk_that_went_on_when_its_window_closed_is_read(bench: NewBench, left: dict[str, str]) -> None:
    """It was not missed; it was not over. Whatever the settings leave to a back-fill, nothing of it is lost."""
    due = bench(**left)
    due.say(talk("note: one", CLOSED - timedelta(minutes=10)))
    due.run_due()
    due.clock.move(AWAY + timedelta(hours=1))
    assert ["done"] == [one.ending.value for one in due.run_due() if one.window.end == CLOSED]


def test_what_is_left_is_what_a_backfill_runs(bench: NewBench) -> None:
    """It takes no notice of either setting."""
    due = bench(catch_up="none", max_age="PT1H")
    due.say(talk("note: one", START + timedelta(hours=10)))
    assert ["empty"] == endings(due.run_due())
    assert "done" in endings(due.backfill(START.date() + timedelta(days=1), CLOSED.date()))


def test_a_chain_of_jobs_of_which_one_catches_up_the_latest(new_bench: NewBench) -> None:
    """Only the last day is summed up, and not before all its windows are done; all notes are written."""
    jobs = (NOTE, DAY, WEEK)
    settings = {DAY.name: JobSettings(catch_up=CatchUp.LATEST)}
    bench = new_bench(jobs=jobs, settings=Settings(timezone="Europe/Warsaw", start=START, jobs=settings))
    bench.clock.moment = datetime(2026, 3, 9, 12, tzinfo=UTC)
    for day in range(7):
        bench.say(talk(f"note: {day}", START + timedelta(days=day, hours=10), f"s{day}"))
    outcomes = bench.run_due()
    runs = [outcome.job for outcome in outcomes]
    assert (1, 1) == (runs.count(DAY.name), runs.count(WEEK.name))
    assert [NOTE.name, DAY.name, WEEK.name] == list(dict.fromkeys(runs))
    assert 7 == sum(len(outcome.written) for outcome in outcomes if outcome.job == NOTE.name)
    assert [] == bench.run_due()


def test_what_is_left_to_a_backfill_holds_nobody_up(new_bench: NewBench) -> None:
    """A day is summed up although windows of it are too old to run by themselves."""
    settings = {NOTE.name: JobSettings(catch_up=CatchUp.NONE)}
    bench = new_bench(jobs=(NOTE, DAY), settings=Settings(timezone="Europe/Warsaw", start=START, jobs=settings))
    outcomes = bench.run_due()
    assert {DAY.name} == {outcome.job for outcome in outcomes} - {NOTE.name}
    assert [] == [planned for planned in due_now(bench.engine, bench.engine.jobs) if planned.job.name == DAY.name]
