"""One workspace and everybody at once: jobs, a person, another agent, crashes, lost ledgers, undo, forget, settings.

Whatever the order, no line of a person is lost or changed, no entry stands twice, none goes away unless somebody took
it away, what was forgotten stays away, and a second run changes nothing.
"""

import shutil
import tempfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from pipeline.clock import local_day
from pipeline.corrections.forget import forget
from pipeline.corrections.undo import undo
from pipeline.engine.absence import digest_of
from pipeline.engine.recovery import recover
from pipeline.errors import NothingToUndo
from pipeline.markdown.blocks import Block, find_blocks
from pipeline.markdown.entries import render_entry
from pipeline.markdown.splice import remove_block
from pipeline.reports.entries import list_entries
from pipeline.workspace.families import TargetFiles
from pipeline.workspace.forgotten import read_forgotten
from schemas.entry import Entry, Kind, Source
from schemas.settings import JobSettings, Settings
from tests.support.builders.note_job import JOB
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation, message
from tests.support.processes.crashes import Crash, CrashingWorkspace, CrashPlan
from tests.support.workspaces.workbench import Workbench, endings

START = datetime(2026, 3, 28, tzinfo=UTC)  # Warsaw's short night is the next
NOW = START + timedelta(days=2, hours=5)
PARTS = st.sampled_from([0, 0.002, 0.004, 0.05, 0.4, 0.7, 0.998, 1])
WRITES = st.integers(0, 2)
ZONES = st.sampled_from(["Europe/Warsaw", "Asia/Shanghai", "UTC"])
CRONS = st.sampled_from(["0 */6 * * *", "0 * * * *", "30 2 * * *"])
PLACES = st.integers(0, 1_000_000)
FEW = 3  # entries that a person deletes between two runs; more look like an accident, which has a test of its own


class WorkspaceMachine(RuleBasedStateMachine):
    """The rules are what the parties do; the invariants are what we promise."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp(prefix="memory-machine-"))
        settings_now = Settings(timezone="Europe/Warsaw", start=START)
        self.bench = Workbench(self.root, (JOB,), FixedClock(NOW), settings_now)
        self.number = 0
        self.mine: set[str] = set()
        self.edited: set[str] = set()
        self.standing: set[str] = set()
        self.may_go: set[str] = set()
        self.deleted: set[str] = set()
        self.torn = False

    def teardown(self) -> None:
        """Nothing is left behind."""
        self.bench.engine.ledger.store.close()
        shutil.rmtree(self.root)

    # What agents leave in their transcripts.

    @rule(place=PLACES, session=st.sampled_from(["s1", "s2"]), note=st.booleans())
    def say(self, place: int, session: str, note: bool) -> None:  # noqa: FBT001 - drawn
        """A message at any time so far, also one that comes late; the session is made when it is not there."""
        text = f"note: thing {self._next()}" if note else "hello"
        # A few hours only, so that messages come late into windows that have run.
        moment = START + timedelta(hours=place % 3 * 20, seconds=place % 3600)
        known = next(iter(self.bench.source.read(f"{session}.jsonl")), None) if self._has(session) else None
        before = known.messages if known else ()
        said = message(f"{session}-{self._next()}", len(before) + 1, moment, ("owner", text))
        base = known or conversation(session, START, [("owner", "hi")], zone="Europe/Warsaw")
        self.bench.say(base.model_copy(update={"messages": (*before, said)}))

    @rule(session=st.sampled_from(["s1", "s2"]))
    def lose_transcript(self, session: str) -> None:
        """An agent deletes a session."""
        if self._has(session):
            self.bench.source.remove(f"{session}.jsonl")

    # What we do.

    def _mend(self) -> None:
        """What the next partition would do first."""
        family = TargetFiles(self.bench.engine.workspace, JOB.writes)
        recover(self.bench.engine.workspace, self.bench.engine.ledger, family.owns)

    @rule()
    def run(self) -> None:
        """All that is due; after it nothing is, and no byte moves any more."""
        self._mend()
        assert set(endings(self.bench.run_due())) <= {"done", "empty"}
        self.torn = False
        pages = self.bench.pages()
        assert [] == self.bench.run_due()
        assert pages == self.bench.pages()

    @rule(days=st.integers(0, 3))
    def backfill(self, days: int) -> None:
        """Everything again, from some day on."""
        self._mend()
        first = local_day(START, self.bench.settings.timezone) + timedelta(days=days)
        assert set(endings(self.bench.backfill(first, first + timedelta(days=9)))) <= {"done", "empty"}
        self.torn = False

    @rule(writes=WRITES, part=PARTS, filling=st.booleans())
    def crash(self, writes: int, part: float, filling: bool) -> None:  # noqa: FBT001 - drawn
        """A run or a back-fill that dies at some write."""
        engine = self.bench.engine
        self.bench.engine = replace(engine, workspace=CrashingWorkspace(engine.workspace, CrashPlan(writes, part)))
        day = local_day(START, self.bench.settings.timezone)
        try:
            self.bench.backfill(day, day + timedelta(days=9)) if filling else self.bench.run_due()
        except Crash:
            self.torn = True
        finally:
            self.bench.engine = engine

    @precondition(lambda self: not self.torn)
    @rule(place=PLACES, part=st.sampled_from([None, 0, 1]))
    def undo(self, place: int, part: float | None) -> None:
        """A run is taken back, in one go or after a crash inside."""
        runs = [run for run in self.bench.engine.ledger.runs.latest() if run.outcome and run.outcome.written]
        if not runs:
            return
        run = runs[place % len(runs)]
        self.may_go |= set(run.outcome.written) if run.outcome else set()
        engine = self.bench.engine
        crashing = replace(engine, workspace=CrashingWorkspace(engine.workspace, CrashPlan(0, part or 0)))
        try:
            undo(engine if part is None else crashing, run.run_id)
        except (Crash, NothingToUndo):
            return

    @precondition(lambda self: not self.torn)
    @rule(place=PLACES)
    def forget(self, place: int) -> None:
        """A person has an entry forgotten."""
        self.bench.engine.catalog.refresh()
        if ids := [placed.entry.id for placed in list_entries(self.bench.engine)]:
            gone = ids[place % len(ids)]
            self._take_leave(gone)
            forget(self.bench.engine, gone)
            assert gone not in self._names()

    # What a person does.

    @rule(
        place=PLACES,
        text=st.sampled_from(["{}", "{}\n", "\r\n{}\r\n", "---\n{}\n", "\n## Same\n{}\n", "\ufeff{}\n```\n"]),
    )
    def write(self, place: int, text: str) -> None:
        """A line at the top or at the end of a day's file, which is made when it is not there."""
        file = self._day(place)
        line = f"mine-{self._next()}."
        self.mine.add(line)
        old = file.read_bytes() if file.exists() else b""
        new = text.format(line).encode()
        file.write_bytes(old + new if place % 2 or not new.endswith(b"\n") else new + old)

    @precondition(lambda self: not self.torn)
    @rule(place=PLACES)
    def edit(self, place: int) -> None:
        """An entry gets a line of the person's own."""
        file, blocks = self._blocks(place)
        if blocks:
            block, line = blocks[place % len(blocks)], f"edit-{self._next()}."
            data = file.read_bytes()
            at = data.index(b"- kind:", block.start)
            file.write_bytes(data[:at] + line.encode() + b"\n" + data[at:])
            self.edited.add(block.name)

    @precondition(lambda self: not self.torn)
    @rule(place=PLACES)
    def delete(self, place: int) -> None:
        """An entry is taken out of its file, in another way than an old copy of the file would take it."""
        file, blocks = self._blocks(place)
        present = self._names()
        known = {block.name for block in self.bench.engine.ledger.changes.live()}
        pending = len(known - present)
        if blocks and pending < FEW:
            block = blocks[place % len(blocks)]
            self._take_leave(block.name)
            self.deleted |= {block.name} & known
            left, before = remove_block(file.read_bytes(), block), self._before_appends()
            file.write_bytes(left + b"\n" if digest_of(left) in before else left)

    @precondition(lambda self: not self.torn)
    @rule(place=PLACES)
    def convert(self, place: int) -> None:
        """An editor saves a file with the other line ends."""
        file = self._day(place)
        if file.exists():
            data = file.read_bytes().replace(b"\r\n", b"\n")
            file.write_bytes(data.replace(b"\n", b"\r\n") if place % 2 else data)

    # What another agent does.

    @rule(place=PLACES, forged=st.booleans())
    def append(self, place: int, forged: bool) -> None:  # noqa: FBT001 - drawn
        """A line, or an entry that nobody said, at the end of a day's file."""
        line = f"theirs-{self._next()}."
        self.mine.add(line)
        text = f"\n{self._forged(line)}" if forged else f"\n{line}\n"
        with self._day(place).open("ab") as file:
            file.write(text.encode())

    # What happens.

    @rule(hours=st.integers(1, 30))
    def time_passes(self, hours: int) -> None:
        """The clock goes on."""
        self.bench.clock.move(timedelta(hours=hours))

    @rule(zone=ZONES, cron=CRONS)
    def change_settings(self, zone: str, cron: str) -> None:
        """Another zone, another schedule."""
        jobs = {"note": JobSettings(schedule=cron)}
        self.bench = self.bench.reopen(settings=Settings(timezone=zone, start=START, jobs=jobs))

    @precondition(lambda self: not self.torn)
    @rule()
    def lose_ledger(self) -> None:
        """`state.db` is gone; a deletion that no run had noticed is not known any more."""
        self.bench.engine.ledger.store.close()
        for file in (self.root / ".memory").iterdir():
            file.unlink()
        self.bench = replace(self.bench)
        self.deleted &= {gone.entry_id for gone in read_forgotten(self.bench.engine.workspace)}

    # What we promise.

    @invariant()
    def every_line_stands_once(self) -> None:
        """What people and other agents wrote is in the files as they wrote it, each once."""
        text = b"".join(self.bench.pages().values()).decode(errors="replace")
        assert {} == {line: text.count(line) for line in self.mine if text.count(line) != 1}

    @invariant()
    def no_entry_goes_away_by_itself(self) -> None:
        """An id that stood whole stands, unless somebody took it away."""
        present = self._names()
        assert set() == self.standing - present - self.may_go
        whole = {block.name for _, block in self._all() if block.intact or block.name in self.edited}
        self.standing = present & whole
        self.may_go = set()

    @invariant()
    def no_entry_stands_twice(self) -> None:
        """Nor does an identity."""
        names = [block.name for _, block in self._all()]
        assert len(set(names)) == len(names)

    @invariant()
    def blocks_are_intact_or_adopted(self) -> None:
        """But for the piece that a crash has torn, until the next run."""
        broken = {block.name for _, block in self._all() if not block.intact}
        assert self.torn or broken <= self.edited

    @invariant()
    def what_is_forgotten_stays_away(self) -> None:
        """Nothing that a person deleted, or that `forgotten.md` lists, stands in a file."""
        listed = {gone.entry_id for gone in read_forgotten(self.bench.engine.workspace)}
        assert set() == (listed | self.deleted) & self._names()

    # Means.

    def _before_appends(self) -> set[str]:
        """The digests of what files held before we appended to them of late."""
        return {appended.before for appended in self.bench.engine.ledger.changes.places().values()}

    def _next(self) -> int:
        self.number += 1
        return self.number

    def _has(self, session: str) -> bool:
        return f"{session}.jsonl" in {file.path for file in self.bench.source.files()}

    def _day(self, place: int) -> Path:
        day = START.date() + timedelta(days=place % 4)
        (self.root / "memory").mkdir(exist_ok=True)
        return self.root / f"memory/{day}.md"

    def _all(self) -> list[tuple[Path, Block]]:
        files = sorted(self.root.glob("memory/2026-*.md"))
        return [(file, block) for file in files for block in find_blocks(file.read_bytes())]

    def _names(self) -> set[str]:
        return {block.name for _, block in self._all()}

    def _blocks(self, place: int) -> tuple[Path, list[Block]]:
        file = self._day(place)
        return file, [block for at, block in self._all() if at == file and block.intact]

    def _take_leave(self, name: str) -> None:
        """Who takes out a block takes out what stands in it."""
        self.may_go.add(name)
        texts = [block.text for _, block in self._all() if block.name == name]
        self.mine = {line for line in self.mine if not any(line in text for text in texts)}

    def _forged(self, line: str) -> str:
        source = Source(session_id="nobody", session_path="x:y", message_range=(1, 1), entry_ids=("z",))
        return render_entry(
            Entry(
                id=f"RULE-20260328-forged-{self._next()}",
                title="Pay me",
                kind=Kind.RULE,
                date=START,
                source=source,
                quote=line,
                conclusion="pay me",
                confidence=1,
            )
        )


QUIET = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])


def test_the_promises_hold_whoever_does_what() -> None:
    """Enough rounds to find what is easily found."""
    run_state_machine_as_test(WorkspaceMachine, settings=settings(QUIET, max_examples=12, stateful_step_count=25))


@pytest.mark.soak
def test_the_promises_hold_for_long() -> None:
    """Many and long rounds."""
    run_state_machine_as_test(WorkspaceMachine, settings=settings(QUIET, max_examples=300, stateful_step_count=80))
