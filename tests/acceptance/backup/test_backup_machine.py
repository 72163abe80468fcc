"""A workspace, its back-ups, and a second workspace that was restored from them: runs, edits, corrections, forgetting.

Whatever the order, nothing that stood in a back-up is lost unless somebody forgot it, nothing that was forgotten comes
back, the lines of a person survive a merge, and a restore that has nothing to bring changes no byte.
"""

import hashlib
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from pipeline.app.backups import make_backup
from pipeline.app.engine import open_engine, prepare
from pipeline.app.restoring import Restoring, prepare_restore
from pipeline.backfill.plan import in_days, work_through
from pipeline.backup.key import key_file
from pipeline.backup.make import BackupWishes
from pipeline.backup.merge import Side
from pipeline.corrections.correct import correct, correction
from pipeline.corrections.forget import forget
from pipeline.engine.context import Engine
from pipeline.engine.runner import Runner
from pipeline.errors.backup import MergeConflicts
from pipeline.process.context import ProcessContext
from pipeline.reports.entries import list_entries
from pipeline.scheduling.registry import jobs_named
from schemas.entry import Status
from tests.support.builders.openclaw_lines import START, OpenClawLines
from tests.support.ports.clock import FixedClock
from tests.support.workspaces.commanded import SETTINGS

DAY = date(2026, 2, 2)
NOW = datetime(2026, 3, 4, 11, tzinfo=UTC)
PLACES = st.integers(0, 1_000_000)
PAGES = st.sampled_from(["memory/2026-02-02.md", "MEMORY.md", "memory/mine.md"])


def sentence(word: str) -> str:
    """A sentence with a word, like no other: one that resembles another may replace it."""
    letters = hashlib.sha256(word.encode()).hexdigest().translate(str.maketrans("0123456789", "ghijklmnop"))
    return f"{word} needs {letters[:6]} and {letters[6:14]} with {letters[14:19]}"


class BackupMachine(RuleBasedStateMachine):
    """The rules are what happens to two workspaces; the invariants are what we promise.

    `standing` are the words of entries by their number, `mine` the lines of the person, each in the workspace; `saved`
    are both as the newest back-up has them, and `elsewhere` the lines that the second workspace has put into it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.room = Path(tempfile.mkdtemp(prefix="memory-backup-"))
        self.root, self.other, self.saved_in = (self.room / name for name in ("w", "other", "saved"))
        (self.root / "memory").mkdir(parents=True)
        (self.root / "memory.toml").write_text(SETTINGS.format(start="2026-03-01T00:00:00+00:00"))
        self.clock = FixedClock(NOW)
        self.context = ProcessContext({"HOME": str(self.room / "home")}, self.clock)
        self.number = 0
        self.standing, self.mine, self.forgotten = dict[int, str](), set[str](), set[str]()
        self.saved: tuple[set[str], set[str]] | None = None
        self.elsewhere = set[str]()

    def teardown(self) -> None:
        """Nothing is left behind."""
        shutil.rmtree(self.room)

    @rule(several=st.booleans())
    def talk(self, several: bool) -> None:  # noqa: FBT001 - drawn
        """A new session with things to remember, which a run writes down."""
        number = self._next()
        start = START + timedelta(minutes=5 * number)
        lines = OpenClawLines(f"s-{number}", start=start)
        for one in [number, *([self._next()] if several else [])]:
            self.standing[one] = f"crate{one}x"
            said = [{"type": "text", "text": f"remember that {sentence(self.standing[one])}"}]
            # An id of its own: a record with the id of a message that was forgotten is a copy of it.
            lines.add({"type": "message", "id": f"e{one:07x}", "message": {"role": "user", "content": said}})
        lines.write(self.root / "sessions" / f"s-{number}.jsonl")
        with self._engine() as engine:
            plan = in_days(engine, jobs_named(["micro_sync"], engine.jobs), DAY, DAY)
            assert {"failed"}.isdisjoint(str(one.ending) for one in work_through(Runner(engine), plan, again=True))

    @rule(page=PAGES)
    def write(self, page: str) -> None:
        """The person adds a line."""
        self.mine.add(self._write(self.root, page))

    @precondition(lambda self: self.standing)
    @rule(place=PLACES)
    def correct(self, place: int) -> None:
        """The person says how it is."""
        number = sorted(self.standing)[place % len(self.standing)]
        words = f"crate{self._next()}y"
        with self._engine() as engine:
            wanted = correction(engine, self._id_of(engine, self.standing[number]), sentence(words))
            correct(engine, wanted)
        self.standing[number] = words

    @precondition(lambda self: self.standing)
    @rule(place=PLACES)
    def forget(self, place: int) -> None:
        """The person wants an entry gone."""
        number = sorted(self.standing)[place % len(self.standing)]
        with self._engine() as engine:
            forget(engine, self._id_of(engine, self.standing[number]))
        self.forgotten.add(self.standing.pop(number))

    @precondition(lambda self: not self.elsewhere)
    @rule()
    def back_up(self) -> None:
        """Everything gets into a new generation."""
        self._back_up(self.root)
        self.saved = {*self.standing.values()}, {*self.mine}

    @precondition(lambda self: self.saved)
    @rule(moving=st.booleans())
    def restore(self, moving: bool) -> None:  # noqa: FBT001 - drawn
        """A new folder gets what was saved; with `moving` it takes the place of the workspace, which is lost."""
        assert self.saved
        new = self.room / f"new{self._next()}"
        self._restoring(new, into_new=True).done()
        words, lines = self.saved
        text = self._text(new)
        assert {word for word in words - self.forgotten if word not in text} == set()
        assert {line for line in lines | self.elsewhere if line not in text} == set()
        assert {word for word in self.forgotten if word in text} == set()
        if not moving:
            shutil.rmtree(new)
            return
        shutil.copytree(self.root / "sessions", new / "sessions") if (self.root / "sessions").exists() else None
        shutil.rmtree(self.root)
        new.rename(self.root)
        self.standing = {number: word for number, word in self.standing.items() if word in text}
        self.mine = {*lines, *self.elsewhere}
        self.elsewhere = set()

    # Where a restore has to forget again, both ledgers have changed, and a merge is refused.
    @precondition(lambda self: self.elsewhere or (self.saved and not self.forgotten & self.saved[0]))
    @rule(page=PAGES)
    def write_elsewhere(self, page: str) -> None:
        """A second workspace has the newest generation; the person adds a line there, and backs it up."""
        if not self.elsewhere:
            shutil.rmtree(self.other, ignore_errors=True)
            self._restoring(self.other, into_new=True).done()
        self.elsewhere.add(self._write(self.other, page))
        self._back_up(self.other)

    @precondition(lambda self: self.saved)
    @rule()
    def merge(self) -> None:
        """The newest generation is merged; then once more, which changes nothing."""
        try:
            self._restoring(self.root).done()
        except MergeConflicts:
            self._restoring(self.root, Side.HERE).done()
            self.elsewhere = {line for line in self.elsewhere if line in self._text(self.root)}
        self.mine |= self.elsewhere
        self.elsewhere = set()
        before = self._pages(self.root)
        assert [] == self._restoring(self.root, Side.HERE).plan_paths()
        self._restoring(self.root, Side.HERE).done()
        assert before == self._pages(self.root)

    @invariant()
    def what_stands_stands(self) -> None:
        """Every entry that nobody forgot, and every line of the person."""
        text = self._text(self.root)
        assert {word for word in [*self.standing.values(), *self.mine] if word not in text} == set()

    @invariant()
    def what_is_forgotten_is_gone(self) -> None:
        """In all pages."""
        text = self._text(self.root)
        assert {word for word in self.forgotten if word in text} == set()

    def _next(self) -> int:
        self.number += 1
        self.clock.move(timedelta(minutes=1))
        return self.number

    def _write(self, root: Path, page: str) -> str:
        line = f"mine{self._next()}z"
        file = root / page
        before = file.read_bytes() if file.exists() else b""
        lead = b"" if before.endswith(b"\n") or not before else b"\n"
        file.write_bytes(before + lead + f"{line}\n".encode())
        return line

    def _back_up(self, root: Path) -> None:
        make_backup(root, self.saved_in, self.context, "1.0.0", BackupWishes())

    def _restoring(self, target: Path, prefer: Side | None = None, *, into_new: bool = False) -> Restoring:
        keys = key_file(self.context.environment)
        opened, manifest = prepare_restore(self.saved_in, keys.read(), keys, None, accept_older=False)
        return Restoring(opened, manifest, target, into_new, self.context, prefer)

    def _id_of(self, engine: Engine, word: str) -> str:
        places = [one.entry for one in list_entries(engine) if word in repr(one.entry)]
        return next(entry for entry in reversed(places) if entry.status is Status.ACTIVE).id

    @contextmanager
    def _engine(self) -> Iterator[Engine]:
        engine = open_engine(self.root, self.context)
        try:
            prepare(engine)
            yield engine
        finally:
            engine.ledger.store.close()

    def _pages(self, root: Path) -> dict[str, bytes]:
        return {str(file.relative_to(root)): file.read_bytes() for file in sorted(root.rglob("*.md"))}

    def _text(self, root: Path) -> str:
        return b"\n".join(self._pages(root).values()).decode()


QUIET = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])


def test_back_ups_keep_what_they_promise() -> None:
    """Enough rounds to find what is easily found."""
    run_state_machine_as_test(BackupMachine, settings=settings(QUIET, max_examples=4, stateful_step_count=12))


@pytest.mark.soak
def test_back_ups_keep_what_they_promise_for_long() -> None:
    """Many and long rounds."""
    run_state_machine_as_test(BackupMachine, settings=settings(QUIET, max_examples=150, stateful_step_count=40))
