"""Corrections, changes of the file, undo, review, forgetting and crashes in any order keep their promises."""

from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from jobs import micro_sync, weekly_compound, weekly_plan
from pipeline.corrections.correct import correct, correction, propose
from pipeline.corrections.decide import accept, decline
from pipeline.corrections.forget import forget
from pipeline.corrections.review import suggest
from pipeline.corrections.undo import undo
from pipeline.engine.suggestions import waiting
from pipeline.errors import NothingToUndo, PipelineError, UndoInputs, UndoNewestFirst
from pipeline.errors.corrections import WordsRefused
from pipeline.reports.entries import fold_entries, list_entries
from schemas.entry import Entry, Status
from schemas.settings import Settings
from tests.support.marks import examples
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.processes.crashes import Crash, CrashingWorkspace, CrashPlan
from tests.support.workspaces.workbench import MORNING, Workbench

SAID = "always take a deposit of 30 percent for every order."
WORDS = ("the alder deposit is 41 percent", "the birch deposit is 42 percent", "the cedar deposit is 43 percent")
STEPS = ("correct", "edit", "propose", "accept", "decline", "undo", "review", "run", "crash", "reopen")


@dataclass
class Corrected:
    """A workspace with one thing that was said, in any words; `undone` are the ids of runs that were taken back."""

    bench: Workbench
    undone: set[str] = field(default_factory=set)

    def active(self) -> list[Entry]:
        """The entries that hold."""
        return [one.entry for one in list_entries(self.bench.engine) if one.status is Status.ACTIVE]

    def take(self, step: str, number: int) -> None:
        """One step; `number` chooses what it is about."""
        bench, words = self.bench, WORDS[number % len(WORDS)]
        waits = waiting(bench.engine)[:1]
        bench.clock.move(timedelta(minutes=1))
        if step == "edit":
            self._edit(words)
        elif step in {"correct", "propose"}:
            self._say(step, words)
        elif step == "accept":
            accept(bench.engine, waits)
        elif step == "decline":
            decline(bench.engine, waits)
        elif step == "undo":
            self._undo(number)
        elif step == "review":
            suggest(bench.engine)
        elif step == "crash":
            self._crash(number, words)
        elif step == "run":
            bench.run_due()
        else:
            self.bench = bench.reopen()

    def _say(self, step: str, words: str) -> None:
        for entry in self.active():
            try:
                if step == "correct":
                    correct(self.bench.engine, correction(self.bench.engine, entry.id, words))
                else:
                    propose(self.bench.engine, entry.id, words, "jaskier")
            except WordsRefused:
                continue

    def _edit(self, words: str) -> None:
        """Change the conclusion of the last entry in the file, as an editor does."""
        path = self.bench.root / "memory" / "2026-03-02.md"
        head, mark, tail = path.read_text().rpartition("- conclusion: ")
        path.write_text(f"{head}{mark}{words}\n{tail.partition(chr(10))[2]}")

    def _undo(self, number: int) -> None:
        runs = [run for run in self.bench.engine.ledger.runs.latest(limit=100) if run.job == "micro_sync"][:-1]
        for run in runs[number % len(runs) :][:1] if runs else []:
            try:
                undo(self.bench.engine, run.run_id)
            except (NothingToUndo, UndoInputs, UndoNewestFirst):
                continue

    def _crash(self, number: int, words: str) -> None:
        """Die in one of the writes of a correction; the next run ends what was begun, or drops it."""
        engine = self.bench.engine
        plan = CrashPlan(number % 3, (0.0, 0.5, 1.0)[number % 4 % 3])
        try:
            with suppress(Crash, WordsRefused):
                dying = replace(engine, workspace=CrashingWorkspace(engine.workspace, plan))
                correct(dying, correction(dying, self.active()[0].id, words))
        finally:
            self.bench = self.bench.reopen()
        self.bench.run_due()

    def check(self) -> None:
        """One thing was said, so one entry holds; what holds is on the page, and no word that holds no more."""
        [entry] = self.active()
        assert entry.conclusion in {SAID, *WORDS}
        state = fold_entries(list_entries(self.bench.engine))
        assert entry.id == state.in_force(state.chain(entry.id)[0])

    def check_page(self) -> None:
        """After a run the page shows what holds, and nothing else of it."""
        self.bench.run_due()
        [entry] = self.active()
        page = (self.bench.root / "MEMORY.md").read_text()
        assert [entry.conclusion] == [words for words in (SAID, *WORDS) if words in page]


def made(folder: str) -> Corrected:
    """A workspace in which the thing stands on MEMORY.md."""
    started = Settings(timezone="Europe/Warsaw", start=datetime(2026, 3, 1, 23, tzinfo=UTC))
    clock = FixedClock(datetime(2026, 3, 13, 11, tzinfo=UTC))
    jobs = (micro_sync.JOB, weekly_plan.JOB, weekly_compound.JOB)
    bench = Workbench(Path(folder), jobs, clock, settings=started)
    bench.say(conversation("s1", MORNING, [("owner", f"Rule: {SAID}")]))
    bench.run_due()
    return Corrected(bench)


@given(st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 11)), max_size=10), st.integers(0, 11))
@settings(max_examples=examples(6))
def test_any_order_keeps_the_promises(steps: list[tuple[str, int]], number: int) -> None:
    """One entry holds at any time and is what the page shows; forgotten, no word of it is anywhere, after any undo."""
    with TemporaryDirectory() as folder:
        world = made(folder)
        for step, chosen in steps:
            world.take(step, chosen)
            world.check()
        world.check_page()

        entries = list_entries(world.bench.engine)
        forget(world.bench.engine, entries[number % len(entries)].entry.id)
        for run in reversed(world.bench.engine.ledger.runs.latest(limit=200)):
            try:
                undo(world.bench.engine, run.run_id)
            except PipelineError:
                continue
        world.bench.run_due()
        world.bench.engine.ledger.store.close()
        kept = [path for path in Path(folder).rglob("*") if path.is_file() and b"deposit" in path.read_bytes()]
        assert [] == kept
