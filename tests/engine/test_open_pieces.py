"""Windows that close over a talk that goes on: what is not yet read counts as unseen, and is read when it is over."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from pipeline.backfill.plan import at, work_through
from pipeline.backfill.run import Backfill
from pipeline.engine.runner import Runner
from pipeline.reports.entries import list_entries
from schemas.run_options import RunOptions
from schemas.run_request import BackfillRequest
from schemas.settings import Settings
from tests.support.builders.note_job import JOB
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench, endings

NewBench = Callable[..., Workbench]
START = datetime(2026, 3, 2, tzinfo=UTC)
TALK = conversation("s", START + timedelta(hours=11, minutes=50), [("owner", "note: one"), ("owner", "note: two")])
NOON = START + timedelta(hours=12, minutes=2)


def opened(new_bench: NewBench, now: datetime = NOON) -> Workbench:
    """A workspace at noon, ten minutes after a talk."""
    bench = new_bench(jobs=(JOB,), clock=FixedClock(now), settings=Settings(timezone="UTC", start=START))
    bench.say(TALK)
    return bench


def titles(bench: Workbench) -> list[str]:
    """The titles of all entries."""
    return sorted(place.entry.title for place in list_entries(bench.engine))


def test_an_open_talk_is_left_until_it_is_over(new_bench: NewBench) -> None:
    """Its window runs again once an hour was silent, without a change of any file, and once."""
    bench = opened(new_bench)
    bench.run_due()
    assert [] == titles(bench)
    bench.clock.move(timedelta(minutes=48))
    assert [] == bench.run_due()
    bench.clock.move(timedelta(minutes=1))
    [outcome] = [one for one in bench.run_due() if one.written]
    assert (["one", "two"], NOON.replace(minute=0)) == (titles(bench), outcome.window.end)
    assert [] == bench.run_due()


def test_what_goes_on_is_one_talk(new_bench: NewBench) -> None:
    """Ten minutes after its end the session is continued: it is read whole, each entry in its own window."""
    bench = opened(new_bench)
    bench.run_due()
    turns = [("owner", "note: one"), ("owner", "note: two"), ("owner", "note: three")]
    bench.say(conversation("s", TALK.messages[0].time, turns, step=timedelta(minutes=10)))
    bench.clock.move(timedelta(minutes=40))
    assert [] == [one for one in bench.run_due() if one.written]
    bench.clock.move(timedelta(hours=6))
    assert [1, 2] == sorted(len(one.written) for one in bench.run_due() if one.written)


def test_a_moment_cuts_a_talk(new_bench: NewBench) -> None:
    """What was said before it is read at once, and what comes later is a talk of its own."""
    bench = opened(new_bench)
    bench.engine.catalog.refresh()
    moment = TALK.messages[1].time
    plan = at(bench.engine, bench.engine.jobs, moment)
    outcomes = list(work_through(Runner(replace(bench.engine, horizon=moment)), plan, again=True))
    assert (["one"], ["done"]) == (titles(bench), endings(outcomes))
    bench.clock.move(timedelta(hours=2))
    bench.run_due()
    assert ["one", "two"] == titles(bench)


def test_a_back_fill_reads_what_was_said_by_now(new_bench: NewBench) -> None:
    """Whoever asks for it waits for no silence; what is said later is a talk of its own."""
    bench = opened(new_bench)
    bench.engine.catalog.refresh()
    request = BackfillRequest(id="b-1", first=START.date(), last=START.date())
    list(Backfill(bench.engine, request, RunOptions()).run())
    assert ["one", "two"] == titles(bench)
    turns = [("owner", "note: one"), ("owner", "note: two"), ("owner", "note: three")]
    bench.say(conversation("s", TALK.messages[0].time, turns))
    bench.clock.move(timedelta(hours=2))
    bench.run_due()
    assert ["one", "three", "two"] == titles(bench)


def test_a_talk_is_read_though_a_clock_went_back(new_bench: NewBench) -> None:
    """Its last words have the earlier time: what is open is told by the latest one."""
    bench = opened(new_bench)
    first, second = TALK.messages
    back = second.model_copy(update={"time": first.time - timedelta(hours=2)})
    bench.say(TALK.model_copy(update={"messages": (first, back)}))
    bench.run_due()
    bench.clock.move(timedelta(hours=1))
    bench.run_due()
    assert ["one", "two"] == titles(bench)
