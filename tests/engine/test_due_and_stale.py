"""What is due: missing, failed or stale time; and what never is, whatever changes around it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.backfill.plan import at, due_now, work_through
from pipeline.engine.runner import Runner
from pipeline.reports.entries import list_entries
from schemas.outcome import Outcome
from schemas.settings import JobSettings, Settings
from schemas.transcript import Session
from tests.support.builders.note_job import JOB
from tests.support.ports.memory_source import MemorySource, conversation, message
from tests.support.workspaces.workbench import Workbench, endings

NewBench = Callable[..., Workbench]
MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)


def talk(*texts: str, session_id: str = "s1", start: datetime = MORNING, step: int = 4) -> Session:
    """A session in which the owner says one thing every `step` hours."""
    return conversation(session_id, start, [("owner", text) for text in texts], step=timedelta(hours=step))


def written(outcomes: list[Outcome]) -> list[str]:
    """The ids that runs wrote."""
    return [text for outcome in outcomes for text in outcome.written]


def titles(bench: Workbench) -> list[str]:
    """What stands in the files, in their order."""
    return [place.entry.title for place in list_entries(bench.engine)]


def test_a_second_run_finds_nothing_due(new_bench: NewBench) -> None:
    """All time up to the last closed window has been dealt with, and no byte changes."""
    bench = new_bench()
    bench.say(talk("note: one", "hello", "note: two"))
    assert 2 == len(written(bench.run_due()))
    before = bench.pages()
    assert [] == bench.run_due()
    assert before == bench.pages()


def test_time_with_nothing_in_it_touches_no_file(new_bench: NewBench) -> None:
    """Nothing found: outcome `empty`, no file made."""
    bench = new_bench()
    bench.say(talk("hello", "world"))
    assert {"empty"} == set(endings(bench.run_due()))
    assert {} == bench.pages()


def test_without_a_start_nothing_is_due(new_bench: NewBench) -> None:
    """Earlier time is only ever an explicit back-fill."""
    bench = new_bench(settings=Settings(timezone="Europe/Warsaw"))
    bench.say(talk("note: one"))
    assert [] == bench.run_due()
    assert 1 == len(written(bench.backfill(date(2026, 3, 2), date(2026, 3, 2))))


def test_time_before_the_start_is_not_due(new_bench: NewBench) -> None:
    """Even where a session reaches across the start."""
    start = MORNING + timedelta(hours=2)
    bench = new_bench(settings=Settings(timezone="Europe/Warsaw", start=start))
    bench.say(talk("note: one", "note: two"))
    outcomes = bench.run_due()
    assert ["two"] == titles(bench)
    assert start == outcomes[0].window.start


def test_a_window_waits_until_it_has_settled(new_bench: NewBench) -> None:
    """Two minutes after its end, not one second before."""
    bench = new_bench()
    bench.clock.moment = datetime(2026, 3, 2, 11, 1, 59, tzinfo=UTC)  # 12:01:59 in Warsaw
    bench.say(talk("note: one"))
    bench.run_due()
    assert [] == titles(bench)
    bench.clock.move(timedelta(seconds=1))
    bench.run_due()
    assert ["one"] == titles(bench)


def test_a_run_of_a_moment_sees_nothing_after_it(new_bench: NewBench) -> None:
    """`--at T` writes what was confirmed up to T; the rest of that window stays due."""
    bench = new_bench()
    bench.say(talk("note: one", "note: two", step=1))
    bench.engine.catalog.refresh()
    moment = MORNING + timedelta(minutes=30)
    list(work_through(Runner(bench.engine), at(bench.engine, bench.engine.jobs, moment)))
    assert ["one"] == titles(bench)
    bench.run_due()
    assert ["one", "two"] == titles(bench)


def test_a_late_message_makes_exactly_its_window_stale(new_bench: NewBench) -> None:
    """Only the window of the new message runs again, and only what is new is written."""
    bench = new_bench()
    bench.say(talk("note: one", "note: two", "note: three"))
    bench.run_due()
    before = {place.entry.title: place.text for place in list_entries(bench.engine)}
    session = talk("note: one", "note: two", "note: three")
    late = message("late", 4, MORNING + timedelta(hours=4, minutes=5), ("owner", "note: late"))
    bench.say(session.model_copy(update={"messages": (*session.messages, late)}))
    (outcome,) = bench.run_due()
    assert late.time in outcome.window
    assert (1, {"known": 2}) == (len(outcome.written), outcome.skipped)
    assert before == {
        place.entry.title: place.text for place in list_entries(bench.engine) if place.entry.title != "late"
    }


@pytest.mark.parametrize("seconds", [0, 3600 * 6 - 1])
def test_a_late_message_on_the_edge_of_a_window_is_noticed(new_bench: NewBench, seconds: int) -> None:
    """The first and the last moment of a window belong to it."""
    bench = new_bench()
    bench.say(talk("hello"))
    bench.run_due()
    edge = datetime(2026, 3, 3, 5, tzinfo=UTC) + timedelta(seconds=seconds)  # 06:00 in Warsaw
    bench.say(talk("note: on the edge", session_id="s2", start=edge))
    (outcome,) = bench.run_due()
    assert datetime(2026, 3, 3, 5, tzinfo=UTC) == outcome.window.start
    assert ["on the edge"] == titles(bench)


def test_a_deleted_transcript_makes_nothing_stale_or_missing(new_bench: NewBench) -> None:
    """Agents delete their sessions: what was written stays, verified, and nothing runs again."""
    bench = new_bench()
    bench.say(talk("note: one"), talk("note: two", session_id="s2"))
    bench.run_due()
    before = bench.pages()
    bench.source.remove("s1.jsonl")
    assert [] == bench.run_due()
    assert [] == bench.backfill(date(2026, 3, 2), date(2026, 3, 3))
    assert before == bench.pages()
    assert [True, True] == [place.is_verified for place in list_entries(bench.engine)]


def test_a_transcript_deleted_after_the_look_is_no_traceback(new_bench: NewBench) -> None:
    """Between the listing and the run a file may go, or be renamed: it is looked for once more."""
    bench = new_bench()
    bench.say(talk("note: one"))
    bench.engine.catalog.refresh()
    bench.source.remove("s1.jsonl")
    plan = due_now(bench.engine, bench.engine.jobs)
    assert {"empty"} == set(endings(list(work_through(Runner(bench.engine), plan))))
    assert [] == list_entries(bench.engine)
    assert {"empty"} == set(endings(bench.run_due()))


@pytest.mark.parametrize("cron", ["0 * * * *", "30 3 * * *", "0 0 * * sun"])
@pytest.mark.parametrize("zone", ["Europe/Warsaw", "Asia/Shanghai", "America/New_York"])
def test_another_schedule_or_zone_changes_nothing_done(new_bench: NewBench, cron: str, zone: str) -> None:
    """Nothing missing, nothing stale, nothing twice; new time goes on with the new settings."""
    bench = new_bench()
    bench.say(talk("note: one", "note: two", "note: three", step=9))
    bench.run_due()
    before = bench.pages()
    settings = Settings(timezone=zone, start=bench.settings.start, jobs={"note": JobSettings(schedule=cron)})
    after = new_bench(root=bench.root, source=bench.source, settings=settings, clock=bench.clock)
    after.run_due()
    assert [] == after.backfill(date(2026, 3, 3), date(2026, 3, 3))
    assert before == after.pages()
    after.clock.move(timedelta(days=7))
    after.say(talk("note: four", session_id="s2", start=MORNING + timedelta(days=3)))
    assert 1 == len(written(after.run_due()))
    assert ["four", "one", "three", "two"] == sorted(titles(after))


@pytest.mark.parametrize("zone", ["Asia/Shanghai", "America/New_York"])
def test_a_stale_window_in_another_zone_adds_only_what_is_new(new_bench: NewBench, zone: str) -> None:
    """The old entries stay where they are; the new one goes to its local day."""
    bench = new_bench()
    bench.say(talk("note: one", step=1))
    bench.run_due()
    after = new_bench(
        root=bench.root,
        source=bench.source,
        settings=Settings(timezone=zone, start=bench.settings.start),
        clock=bench.clock,
    )
    after.say(talk("note: one", "note: two", step=1))
    assert 1 == len(written(after.run_due()))
    assert ["one", "two"] == titles(after)


def test_a_moved_workspace_changes_nothing(new_bench: NewBench, tmp_path: Path) -> None:
    """The folder under another name, with the transcripts elsewhere too: nothing is due, all verifies."""
    bench = new_bench(root=tmp_path / "old")
    bench.say(talk("note: one", "note: two"))
    bench.run_due()
    before = bench.pages()
    bench.engine.ledger.store.close()
    (tmp_path / "old").rename(tmp_path / "new")
    moved = new_bench(root=tmp_path / "new", source=bench.source)
    assert [] == moved.run_due()
    assert before == moved.pages()
    assert [True, True] == [place.is_verified for place in list_entries(moved.engine)]


def test_the_same_session_under_another_path_is_the_same(new_bench: NewBench) -> None:
    """An agent that archives a session under another name makes nothing new."""
    bench = new_bench()
    session = talk("note: one")
    bench.say(session)
    bench.run_due()
    before = bench.pages()
    bench.source.remove(session.path)
    bench.say(session.model_copy(update={"path": "archive/s1.jsonl.reset.2026"}))
    assert [] == bench.run_due()
    assert before == bench.pages()


@pytest.mark.parametrize(
    ("zone", "start", "now"),
    [
        ("Europe/Warsaw", datetime(2026, 3, 28, 12, tzinfo=UTC), datetime(2026, 3, 30, 12, tzinfo=UTC)),
        ("Europe/Warsaw", datetime(2026, 10, 24, 12, tzinfo=UTC), datetime(2026, 10, 26, 12, tzinfo=UTC)),
        ("Asia/Shanghai", datetime(2026, 3, 28, 12, tzinfo=UTC), datetime(2026, 3, 30, 12, tzinfo=UTC)),
        ("Africa/Cairo", datetime(2026, 4, 23, 12, tzinfo=UTC), datetime(2026, 4, 25, 12, tzinfo=UTC)),
        ("Africa/Cairo", datetime(2026, 10, 28, 12, tzinfo=UTC), datetime(2026, 10, 30, 12, tzinfo=UTC)),
    ],
)
def test_when_the_clocks_change_every_message_is_written_once_into_its_day(
    new_bench: NewBench, zone: str, start: datetime, now: datetime
) -> None:
    """A note every half hour over two nights: each in the file of its local day, none lost, none twice."""
    bench = new_bench(settings=Settings(timezone=zone, start=start))
    bench.clock.moment = now
    said = [("owner", f"note: {number}") for number in range(90)]
    bench.say(conversation("s1", start, said, step=timedelta(minutes=30), zone=zone))
    bench.run_due()
    places = list_entries(bench.engine)
    assert [str(number) for number in range(90)] == [place.entry.title for place in places]
    assert all(f"memory/{place.entry.date.date()}.md" == place.path for place in places)
    assert [] == bench.run_due()


def test_order_of_commands_does_not_change_the_bytes(new_bench: NewBench, tmp_path: Path) -> None:
    """One back-fill over all, or day by day: the same files."""
    source = MemorySource(talk("note: one", "note: two", "note: three", step=11))
    whole = new_bench(root=tmp_path / "whole", source=source)
    whole.backfill(date(2026, 3, 2), date(2026, 3, 3))
    parts = new_bench(root=tmp_path / "parts", source=source)
    for day in (3, 2):
        parts.backfill(date(2026, 3, day), date(2026, 3, day))
    assert whole.pages() == parts.pages()


def test_a_full_day_goes_on_in_the_next_volume(new_bench: NewBench) -> None:
    """Beyond the capacity of a file its overflow files take the rest, and a later run goes on there."""
    small = replace(JOB, writes=replace(JOB.writes, capacity=2))
    bench = new_bench(jobs=(small,))
    bench.say(talk(*(f"note: {number}" for number in range(5)), step=1))
    bench.run_due()
    assert ["memory/2026-03-02.md", "memory/recent/2026-03-02-2.md", "memory/recent/2026-03-02-3.md"] == list(
        bench.pages()
    )
    bench.say(talk("note: five", session_id="s2"))
    bench.run_due()
    assert {2} == {page.count(b"- check:") for page in bench.pages().values()}
    assert [] == bench.run_due()
