"""What the ledger lets go of when it is old, and that nothing else changes with it."""

import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.backfill.plan import due_now
from pipeline.corrections.undo import undo
from pipeline.drafts import Draft
from pipeline.engine.retention import prune
from pipeline.errors import NothingToUndo, UndoNewestFirst
from pipeline.events import Event
from pipeline.job import Run
from pipeline.ledger.answers import Answers
from pipeline.ledger.runs import RunRecord
from pipeline.ports.engine import Reply
from pipeline.reports.entries import explain, list_entries
from pipeline.reports.grid import grid
from pipeline.service.monitoring.snapshot import take_snapshot
from schemas.outcome import Rejection
from schemas.service_state import ServiceState
from schemas.settings import Settings
from tests.support.builders.note_job import JOB
from tests.support.builders.page_jobs import CHAIN
from tests.support.marks import examples
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
START = datetime(2026, 3, 1, 23, tzinfo=UTC)
MORNING = START + timedelta(hours=9)
WEEK = timedelta(days=7)
DOUBT = "maybe:"
STATE = ServiceState(pid=1, host="h", version="1.0", started=START, alive=START)


def doubting(run: Run) -> Sequence[Draft]:
    """The `note` job, which rejects what begins with `maybe:`, and quotes it."""
    said = [(session, message) for session in run.inputs.transcripts for message in session.conversation]
    doubts = [
        Rejection(reason="doubtful", session_id=session.session_id, number=message.number, detail=message.text)
        for session, message in said
        if message.text.startswith(DOUBT) and message.time in run.window
    ]
    return [*JOB.run(run), *doubts]


DOUBTING = replace(JOB, run=doubting)
JOBS = (DOUBTING, *CHAIN[1:])


@pytest.fixture
def bench(new_bench: NewBench) -> Workbench:
    """On 4 March, after runs of which one rejected something on 2 March, and an answer of 1 March; kept for a week."""
    made = new_bench(
        jobs=(DOUBTING,), settings=Settings(timezone="Europe/Warsaw", start=START, retention=timedelta(days=7))
    )
    made.say(conversation("s1", MORNING, [("owner", "note: a boat"), ("owner", f'{DOUBT} a "kayak"')]))
    made.run_due()
    answer(made, "first", START)
    return made


def answer(bench: Workbench, key: str, moment: datetime) -> None:
    """The model answered something then."""
    Answers(bench.engine.ledger.store, FixedClock(moment)).put_answer(key, "m", Reply(f"said of {key}", 1, 1))


def known(bench: Workbench) -> list[object]:
    """The keys of the answers that are kept."""
    return bench.engine.ledger.store.column("SELECT key FROM answers ORDER BY key")


def quotes(bench: Workbench) -> list[str]:
    """What rejections say."""
    runs = bench.engine.ledger.runs.latest(limit=1000)
    return [rejection.detail for run in runs if run.outcome for rejection in run.outcome.rejected]


def prunings(bench: Workbench) -> list[dict[str, object]]:
    """What was announced of the ledger."""
    return [fields for event, fields in bench.events if event is Event.LEDGER_PRUNED]


def quiet(run: RunRecord | None) -> RunRecord | None:
    """A run without the quotes of what it rejected."""
    if run is None or run.outcome is None:
        return run
    rejected = tuple(rejection.model_copy(update={"detail": ""}) for rejection in run.outcome.rejected)
    return replace(run, outcome=run.outcome.model_copy(update={"rejected": rejected}))


def test_what_is_too_old_goes(bench: Workbench) -> None:
    """Answers and quotes; that something was rejected, why and where stays with the run, and so does all else of it."""
    before = bench.engine.ledger.runs.latest(limit=1000)
    bench.clock.move(timedelta(days=8))
    answer(bench, "second", bench.clock.now() - timedelta(days=6))
    prune(bench.engine)
    after = bench.engine.ledger.runs.latest(limit=1000)
    assert [quiet(run) for run in before] == after
    assert (["second"], [""]) == (known(bench), quotes(bench))
    dropped = {"answers": 1, "runs": 1, "suggestions": 0}
    assert [dropped | {"before": (bench.clock.now() - WEEK).isoformat()}] == prunings(bench)


def test_what_is_young_stays(bench: Workbench) -> None:
    """Nothing is removed before its time, and nothing is told of that."""
    bench.clock.move(timedelta(days=3))
    prune(bench.engine)
    assert (["first"], [f'{DOUBT} a "kayak"'], []) == (known(bench), quotes(bench), prunings(bench))


def test_only_before_the_first_run_of_a_day(bench: Workbench) -> None:
    """It is looked for once a local day: after a run, the next day's first run does it."""
    bench.clock.move(timedelta(days=30))
    bench.run_due()
    prune(bench.engine)
    assert ["first"] == known(bench)
    bench.clock.move(timedelta(days=1))
    prune(bench.engine)
    assert [] == known(bench)


def test_without_a_retention_all_is_kept(bench: Workbench) -> None:
    """0 is for ever."""
    bench.engine = replace(bench.engine, settings=Settings(retention=timedelta(0)))
    bench.clock.move(timedelta(days=4000))
    prune(bench.engine)
    assert (["first"], []) == (known(bench), prunings(bench))


def test_the_longest_retention_is_no_trouble(bench: Workbench) -> None:
    """A moment a hundred years ago can be told."""
    bench.engine = replace(bench.engine, settings=Settings(retention=timedelta(days=36_500)))
    bench.clock.move(WEEK)
    prune(bench.engine)
    assert ["first"] == known(bench)


def test_what_went_is_overwritten(bench: Workbench) -> None:
    """When the command has ended, no byte of it is left in the ledger's files, which need not become smaller."""
    answer(bench, "secret-" * 2000, START)
    bench.clock.move(timedelta(days=8))
    prune(bench.engine)
    bench.engine.ledger.store.close()
    left = b"".join(file.read_bytes() for file in (bench.root / ".memory").iterdir() if file.is_file())
    assert (False, False, False) == (b"secret-" in left, b"said of" in left, b"kayak" in left)
    assert b"a boat" in left


class Twins:
    """A workspace in which weeks go by, and its copy, whose ledger was pruned."""

    def __init__(self, folder: Path, events: Sequence[tuple[str, int]], retention: int) -> None:
        self.number = 0
        kept = Settings(timezone="Europe/Warsaw", start=START, retention=timedelta(0))
        self.real = Workbench(folder / "real", JOBS, FixedClock(START + timedelta(hours=5)), kept)
        for event in [("say", 5), ("pass", 9), *events, ("say", 2), ("pass", 1)]:
            self.happen(*event)
        self.real.engine.ledger.store.close()
        shutil.copytree(folder / "real", folder / "copy")
        self.real = self.real.reopen()
        # A day on, so that nothing has run on it.
        self.real.clock.move(timedelta(days=1))
        less = kept.model_copy(update={"retention": timedelta(days=retention)})
        self.copy = Workbench(folder / "copy", JOBS, self.real.clock, less, self.real.source)
        prune(self.copy.engine)

    def happen(self, kind: str, much: int) -> None:
        """One thing that happens."""
        self.number += 1
        bench, name = self.real, f"s{self.number}"
        if kind == "pass":
            bench.clock.move(timedelta(days=much))
            bench.run_due()
        elif kind == "say":
            moment = bench.clock.now() - timedelta(hours=much)
            turns = [("owner", f"note: {name}."), ("owner", f"{DOUBT} {name}?")]
            bench.say(conversation(name, moment, turns))
            answer(bench, name, moment)
        elif kind == "delete" and (days := [path for path in bench.pages() if path.startswith("memory/2026")]):
            file = bench.root / days[much % len(days)]
            file.write_bytes(file.read_bytes().partition(b"## ")[0])
        elif kind == "undo":
            self.undo(bench, much)

    @staticmethod
    def undo(bench: Workbench, place: int) -> None:
        """A run is taken back, if nothing rests on it."""
        wrote = [run for run in bench.engine.ledger.runs.latest(limit=1000) if run.outcome and run.outcome.paths]
        with suppress(NothingToUndo, UndoNewestFirst):
            undo(bench.engine, wrote[place % len(wrote)].run_id) if wrote else None

    def close(self) -> None:
        """Close both."""
        for bench in (self.real, self.copy):
            bench.engine.ledger.store.close()


def due(bench: Workbench) -> list[tuple[str, datetime]]:
    """The windows that are to run."""
    return [(planned.job.name, planned.window.end) for planned in due_now(bench.engine, bench.engine.jobs)]


def figures(bench: Workbench) -> dict[str, object]:
    """What metrics are made of."""
    jobs = take_snapshot(bench.engine, STATE).jobs
    return {name: replace(job, last_run=quiet(job.last_run)) for name, job in jobs.items()}


def stories(bench: Workbench) -> list[object]:
    """What is told of every entry that stands in a file."""
    return [explain(bench.engine, place.entry.id) for place in list_entries(bench.engine)]


def cells(bench: Workbench) -> list[dict[date, object]]:
    """The grid."""
    return [dict(row.cells) for row in grid(bench.engine, 60)]


EVENTS = st.tuples(st.sampled_from(["say", "say", "pass", "delete", "undo"]), st.integers(0, 12))


@given(st.lists(EVENTS, max_size=8), st.integers(1, 40), st.integers(0, 400))
@settings(max_examples=examples(4), suppress_health_check=[HealthCheck.too_slow])
def test_nothing_else_changes(
    tmp_path_factory: pytest.TempPathFactory, events: list[tuple[str, int]], retention: int, late: int
) -> None:
    """Whatever came before: due windows, stories, grid, totals, what a message told late does, and what undo does."""
    twins = Twins(tmp_path_factory.mktemp("twins"), events, retention)
    real, copy = twins.real, twins.copy
    for same in (due, figures, stories, cells):
        assert same(real) == same(copy)
    real.say(conversation("late", real.clock.now() - timedelta(hours=late), [("owner", "note: told late.")]))
    assert [outcome.ending for outcome in real.run_due()] == [outcome.ending for outcome in copy.run_due()]
    assert real.pages() == copy.pages()
    for run in real.engine.ledger.runs.latest(limit=1000):
        for bench in (real, copy):
            with suppress(NothingToUndo, UndoNewestFirst):
                undo(bench.engine, run.run_id)
    assert real.pages() == copy.pages()
    assert figures(real) == figures(copy)
    twins.close()
