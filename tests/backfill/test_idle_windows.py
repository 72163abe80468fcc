"""Windows of a series in which nobody spoke: they are run together, and recorded as if each had been run by itself."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from pipeline.backfill.plan import in_days, work_through
from pipeline.drafts import BlockDraft, Draft, ItemDraft
from pipeline.engine.runner import Runner
from pipeline.events import Event
from pipeline.job import Job, Period, Reads, Run, Schedule, Target
from pipeline.ledger.coverage import State
from pipeline.ledger.requests import Request
from schemas.outcome import Ending
from tests.support.builders.note_job import JOB
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
FIRST = date(2026, 2, 2)
MORNING = datetime(2026, 2, 2, 8, tzinfo=UTC)
BY_DAY = 4  # windows of the job


def silent_between(bench: Workbench, days: int) -> Workbench:
    """Something is noted on the first and on the last of some days."""
    for day in (0, days - 1):
        bench.say(conversation(f"s-{day}", MORNING + timedelta(days=day), [("owner", f"note: day {day}")]))
    bench.engine.catalog.refresh()
    return bench


def begun(bench: Workbench, days: int) -> Counter[str]:
    """The endings of the windows of so many days, and how many transactions of the ledger they began."""
    statements = list[str]()
    bench.engine.ledger.store._connection.set_trace_callback(statements.append)
    outcomes = bench.backfill(FIRST, FIRST + timedelta(days=days - 1))
    bench.engine.ledger.store._connection.set_trace_callback(None)
    return Counter(outcome.ending.value for outcome in outcomes) + Counter(
        transactions=sum(statement.startswith("BEGIN") for statement in statements)
    )


def test_a_long_silence_is_one_transaction(new_bench: NewBench, tmp_path: Path) -> None:
    """Twenty more days in which nobody speaks cost no transaction more."""
    short, long = (
        begun(silent_between(new_bench(root=tmp_path / str(days), jobs=(JOB,)), days), days) for days in (10, 30)
    )
    assert {"done": 2, "empty": 10 * BY_DAY - 2} == {name: short[name] for name in ("done", "empty")}
    assert {"done": 2, "empty": 30 * BY_DAY - 2} == {name: long[name] for name in ("done", "empty")}
    assert short["transactions"] == long["transactions"]


def recorded(bench: Workbench) -> tuple[list[object], list[object]]:
    """What the ledger has of the covered time and of the runs, in their order."""
    covered: list[object] = [
        (one.window, one.state, one.stale) for one in bench.engine.ledger.coverage.stretches(JOB.name)
    ]
    runs = list[object]()
    for run in reversed(bench.engine.ledger.runs.latest(limit=1_000)):
        assert run.outcome
        runs.append((run.partition, bool(run.ended), run.outcome.model_copy(update={"run_id": ""})))
    return covered, runs


def test_the_ledger_has_what_single_runs_leave(new_bench: NewBench, tmp_path: Path) -> None:
    """Every window has its run and its stretch, and the next back-fill finds nothing left."""
    days = FIRST, FIRST + timedelta(days=9)
    benches = [silent_between(new_bench(root=tmp_path / name, jobs=(JOB,)), 10) for name in ("single", "together")]
    single, together = benches
    runner = Runner(single.engine)
    for planned in in_days(single.engine, single.engine.jobs, *days):
        assert runner.run(planned.job, planned.partition, again=True)
    together.backfill(*days)
    assert recorded(single) == recorded(together)
    assert single.pages() == together.pages()
    assert [] == together.backfill(*days)


def test_stretches_name_their_runs(new_bench: NewBench) -> None:
    """An undo of a run finds the time that it is about."""
    bench = silent_between(new_bench(jobs=(JOB,)), 10)
    bench.backfill(FIRST, FIRST + timedelta(days=9))
    stretches = {one.run_id: one.window for one in bench.engine.ledger.coverage.stretches(JOB.name)}
    assert stretches == {run.run_id: run.window for run in bench.engine.ledger.runs.latest(limit=1_000)}


def test_undone_time_is_run_again(new_bench: NewBench) -> None:
    """Stretches that stand there give way, as they do to a run by itself."""
    bench = silent_between(new_bench(jobs=(JOB,)), 10)
    days = FIRST, FIRST + timedelta(days=9)
    bench.backfill(*days)
    with bench.engine.ledger.store.transaction():
        for one in bench.engine.ledger.coverage.stretches(JOB.name):
            bench.engine.ledger.coverage.cover(JOB.name, one.window, State.UNDONE, one.run_id, {})
    assert 10 * BY_DAY == len(bench.backfill(*days))
    assert {State.COVERED} == {one.state for one in bench.engine.ledger.coverage.stretches(JOB.name)}


def test_what_came_since_the_plan_is_read(new_bench: NewBench) -> None:
    """Another process has noticed a message in one of the windows: that window is run by itself."""
    bench = silent_between(new_bench(jobs=(JOB,)), 10)
    plan = in_days(bench.engine, bench.engine.jobs, FIRST, FIRST + timedelta(days=9))
    series = work_through(Runner(bench.engine), plan, again=True)
    assert Ending.EMPTY is next(series).ending
    bench.say(conversation("late", MORNING + timedelta(days=5), [("owner", "note: said late")]))
    bench.engine.catalog.refresh()
    list(series)
    [page] = [page for path, page in bench.pages().items() if path.endswith(f"{FIRST + timedelta(days=5)}.md")]
    assert b"said late" in page


def test_every_silent_window_is_announced(new_bench: NewBench) -> None:
    """The log has the beginning and the end of each."""
    bench = silent_between(new_bench(jobs=(JOB,)), 10)
    bench.backfill(FIRST, FIRST + timedelta(days=9))
    announced = Counter(json.dumps([event.value, fields["key"]]) for event, fields in bench.events if "key" in fields)
    assert {1} == set(announced.values())
    assert 2 * 10 * BY_DAY == len(announced)


def _note_or_ask(run: Run) -> Sequence[Draft]:
    return [BlockDraft("asked", f"- {run.request}", "asked")] if run.request else JOB.run(run)


NOTE = replace(JOB, run=_note_or_ask, on_request=True)
DIGEST = Job(
    name="digest",
    purpose="a page for each day with a note",
    schedule=Schedule("0 1 * * *", period=Period.DAY),
    reads=Reads(transcripts=True, entries=("memory/{day}.md",)),
    writes=Target("second-brain/digests/{day}.md"),
    run=lambda run: [ItemDraft("seen", f"- {run.key}")],
)
ASKED = MORNING + timedelta(days=4)


def asked_between(bench: Workbench) -> Workbench:
    """Ten silent days; in the fifth stands a request to note something."""
    silent_between(bench, 10)
    request = Request("please", NOTE.name, "", "said to nobody", bench.clock.now(), ASKED)
    with bench.engine.ledger.store.transaction():
        bench.engine.ledger.requests.keep(request)
    return bench


def test_silent_windows_behind_a_request_see_what_it_wrote(new_bench: NewBench) -> None:
    """The day of the request is silent, and has a file to read once it is carried out."""
    bench = asked_between(new_bench(jobs=(NOTE, DIGEST)))
    bench.backfill(FIRST, FIRST + timedelta(days=9))
    digests = sorted(path for path in bench.pages() if "digests" in path)
    assert [f"second-brain/digests/{FIRST + timedelta(days=day)}.md" for day in (0, 4, 9)] == digests
    assert b"said to nobody" in bench.pages()[f"memory/{ASKED.date()}.md"]


def test_no_window_behind_a_request_is_run_before_it(new_bench: NewBench) -> None:
    """Those up to it are run together, job by job; those behind it only when it has ended."""
    bench = asked_between(new_bench(jobs=(NOTE, DIGEST)))
    bench.backfill(FIRST, FIRST + timedelta(days=9))
    began = [(str(fields["job"]), str(fields["key"])) for event, fields in bench.events if event is Event.RUN_BEGAN]
    place, day = began.index((NOTE.name, "please")), str(ASKED.date())
    assert not [key for _, key in began[:place] if key[:10] > day]
    assert not [key for _, key in began[place + 1 :] if key[:10] < day]
    assert (DIGEST.name, day) in began[place:]
