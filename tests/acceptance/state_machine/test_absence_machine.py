"""Runs, a person who deletes, files that go away and come back, an editor's old copies, and lines taken out of a list.

Whatever the order: nothing is banned that no person deleted, nothing stands twice, and what is back counts as before.
"""

import shutil
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from pipeline.ledger.changes import BlockState
from pipeline.markdown.blocks import find_blocks
from pipeline.markdown.splice import remove_block
from pipeline.workspace.forgotten import PATH as FORGOTTEN
from pipeline.workspace.forgotten import read_forgotten
from schemas.settings import Settings
from tests.support.builders.note_job import JOB
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench, endings

START = datetime(2026, 3, 1, 23, tzinfo=UTC)
NOW = START + timedelta(days=5)
DAYS = 3
PLACES = st.integers(0, 1_000_000)
TYPED = st.sampled_from([b"", b"mine\n", b"\nmine\n"])


class AbsenceMachine(RuleBasedStateMachine):
    """The rules are what happens to the files; the invariants are what we promise."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp(prefix="memory-absence-"))
        self.bench = Workbench(self.root, (JOB,), FixedClock(NOW), Settings(timezone="UTC", start=START))
        (self.root / "memory").mkdir()
        self.said: dict[int, list[str]] = {day: [] for day in range(DAYS)}
        self.away: dict[Path, Path] = {}
        self.copies: dict[Path, tuple[bytes, set[str]]] = {}
        self.deleted: set[str] = set()
        self.again: set[str] = set()
        self.number = 0

    def teardown(self) -> None:
        """Nothing is left behind."""
        self.bench.engine.ledger.store.close()
        shutil.rmtree(self.root)

    @rule(day=st.integers(0, DAYS - 1), notes=st.integers(0, 3), running=st.booleans())
    def say(self, day: int, notes: int, running: bool) -> None:  # noqa: FBT001 - drawn
        """A few more things on a day, of which the next run, or one at once, writes the notes."""
        for _ in range(notes):
            self.number += 1
            self.said[day].append(f"note: thing {self.number}")
        self.said[day].append("hello")
        turns = [("owner", text) for text in self.said[day]]
        self.bench.say(conversation(f"s{day}", START + timedelta(days=day, hours=10), turns))
        if running:
            self.run()

    @rule()
    def run(self) -> None:
        """All that is due. An old copy that an editor holds from before it is a stale one now."""
        names = set(endings(self.bench.run_due()))
        assert names <= {"done", "empty"} | ({"unreadable", "failed"} if self.away else set())

    @precondition(lambda self: not self.away)
    @rule(place=PLACES)
    def delete(self, place: int) -> None:
        """A person takes an entry out, in place, and not the whole file's; a run notices."""
        self.run()
        files = [file for file in self._files() if len(find_blocks(file.read_bytes())) > 1 and file not in self.copies]
        if not files:
            return
        file = files[place % len(files)]
        blocks = find_blocks(file.read_bytes())
        block = blocks[place % len(blocks)]
        # One of several that were written together, or long ago: what was just written alone is an editor's doing.
        self.bench.engine.ledger.changes.place(file.relative_to(self.root).as_posix(), block.name, None)
        file.write_bytes(remove_block(file.read_bytes(), block))
        self.deleted.add(block.name)
        self.say(self._day(file), 0, running=True)

    @rule(place=PLACES)
    def take_away(self, place: int) -> None:
        """A file is elsewhere: a branch, a sync, a folder that is not mounted."""
        files = [file for file in self._files() if file not in self.copies]
        if files:
            file = files[place % len(files)]
            self.away[file] = self.root / f"elsewhere-{file.stem}"
            file.rename(self.away[file])

    @rule(place=PLACES)
    def bring_back(self, place: int) -> None:
        """It is where it was."""
        if self.away:
            file = sorted(self.away)[place % len(self.away)]
            assert not file.exists()
            self.away.pop(file).rename(file)

    @rule(place=PLACES)
    def load(self, place: int) -> None:
        """An editor opens a file."""
        if files := [file for file in self._files() if file not in self.copies]:
            file = files[place % len(files)]
            self.copies[file] = file.read_bytes(), self._names(file)

    @rule(place=PLACES, typed=TYPED)
    def save(self, place: int, typed: bytes) -> None:
        """It saves what it loaded, renamed over the file."""
        if self.copies:
            self._save(sorted(self.copies)[place % len(self.copies)], typed)

    @rule(place=PLACES, typed=TYPED, notes=st.integers(1, 3))
    def write_beside_an_editor(self, place: int, typed: bytes, notes: int) -> None:
        """It loads a file, we append to that, and it saves what it loaded."""
        if files := [file for file in self._files() if file not in self.copies]:
            file = files[place % len(files)]
            self.copies[file] = file.read_bytes(), self._names(file)
            self.say(self._day(file), notes, running=True)
            self._save(file, typed)

    def _save(self, file: Path, typed: bytes) -> None:
        """Nobody takes the same entry away twice: that is a wish."""
        data, names = self.copies.pop(file)
        lost = self._names(file) - names
        if lost & self.again:
            return
        self.again |= lost
        copy = file.with_name(f"{file.name}~")
        copy.write_bytes(data + typed)
        copy.rename(file)
        self.say(self._day(file), 0, running=True)

    @precondition(lambda self: not self.away)
    @rule(place=PLACES)
    def allow(self, place: int) -> None:
        """A person takes a line out of the list: a later run writes the entry again."""
        file = self.root / FORGOTTEN
        if listed := read_forgotten(self.bench.engine.workspace):
            gone = listed[place % len(listed)]
            lines = file.read_bytes().splitlines(keepends=True)
            file.write_bytes(b"".join(line for line in lines if f"- {gone.entry_id} ".encode() not in line))
            self.deleted.discard(gone.entry_id)
            self.again.discard(gone.entry_id)
            self.run()
            assert gone.entry_id in {name for path in self._files() for name in self._names(path)}

    @invariant()
    def nothing_is_banned_that_nobody_deleted(self) -> None:
        """The list has what people took out, and nothing else."""
        assert {gone.entry_id for gone in read_forgotten(self.bench.engine.workspace)} <= self.deleted

    @invariant()
    def nothing_stands_twice(self) -> None:
        """Neither in one file nor in two, and not beside what is away."""
        files = [*self._files(), *self.away.values()]
        names = [block.name for file in files for block in find_blocks(file.read_bytes())]
        assert sorted(set(names)) == sorted(names)

    @invariant()
    def nothing_that_was_deleted_stands(self) -> None:
        """Until a person allows it."""
        assert set() == self.deleted & {name for file in self._files() for name in self._names(file)}

    @precondition(lambda self: not self.away)
    @rule()
    def look(self) -> None:
        """With all files in their place, one run later every entry that nobody deleted is there, and live."""
        for day in range(DAYS):
            self.say(day, 0, running=False)
        self.run()
        written = {block.name: path for path in self._files() for block in find_blocks(path.read_bytes())}
        notes = sum(text.startswith("note:") for said in self.said.values() for text in said)
        assert notes == len(written) + len(self.deleted)
        states = {
            standing.block.name: standing.state for standing in self.bench.engine.ledger.changes.in_state(*BlockState)
        }
        assert {BlockState.LIVE} >= {states[name] for name in written}

    def _day(self, file: Path) -> int:
        return (datetime.fromisoformat(file.stem).replace(tzinfo=UTC) - START).days

    def _files(self) -> list[Path]:
        return sorted(self.root.glob("memory/2026-*.md"))

    def _names(self, file: Path) -> set[str]:
        return {block.name for block in find_blocks(file.read_bytes())}


QUIET = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])


def test_absence_is_no_wish() -> None:
    """Enough rounds to find what is easily found."""
    run_state_machine_as_test(AbsenceMachine, settings=settings(QUIET, max_examples=15, stateful_step_count=25))


@pytest.mark.soak
def test_absence_is_no_wish_for_long() -> None:
    """Many and long rounds."""
    run_state_machine_as_test(AbsenceMachine, settings=settings(QUIET, max_examples=300, stateful_step_count=60))
