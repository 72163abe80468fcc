"""A whole engine on a folder of its own, with fakes for the outside world: for tests of jobs and of the engine."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from itertools import count
from pathlib import Path

from pipeline.backfill.plan import due_now, in_days, work_through
from pipeline.corrections.forget import forget_again
from pipeline.corrections.forgotten_before import may_return
from pipeline.engine.context import Engine
from pipeline.engine.cutting import cutting
from pipeline.engine.deletions import accept_losses, notice_missing_pages, notice_returns
from pipeline.engine.edits import notice_edits
from pipeline.engine.moved_agents import move_tombstones, refuse_left_behind
from pipeline.engine.partitioning.changes import take_over_folds
from pipeline.engine.rebuild import rebuild_if_lost
from pipeline.engine.runner import Runner
from pipeline.events import Event
from pipeline.job import Job
from pipeline.ledger import open_ledger
from pipeline.model.ask import Asker
from pipeline.model.question import Readers
from pipeline.ports.engine import LanguageModel
from pipeline.scheduling.registry import check_jobs
from pipeline.transcripts.catalog import Catalog
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import Layout, place_job
from pipeline.workspace.locks import Locks
from schemas.outcome import Outcome
from schemas.settings import Settings
from schemas.transcript import Session
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import MemorySource, conversation
from tests.support.ports.plain_redactor import PlainRedactor

MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)


class NoBudget:
    """A `Budget` without a limit."""

    def check(self, spent: int, ahead: int = 0) -> None:
        """There is always something left."""


@dataclass
class Workbench:
    """One workspace with its engine. `events` holds what was announced, in order.

    Agents are `declared` since that moment, else since `start`.
    """

    root: Path
    jobs: tuple[Job, ...]
    clock: FixedClock
    settings: Settings = field(default_factory=Settings)
    source: MemorySource = field(default_factory=MemorySource)
    model: LanguageModel | None = None
    others: tuple[MemorySource, ...] = ()
    parted: Readers | None = None
    secrets: tuple[str, ...] = ()
    host: str = "workbench"
    declared: datetime | None = None
    events: list[tuple[Event, dict[str, object]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.engine = self._open()
        used = [int(run.run_id.rsplit("-", 1)[1]) for run in self.engine.ledger.runs.latest(limit=1_000_000)]
        self._run_numbers = count(max(used, default=0) + 1)

    @property
    def readers(self) -> Readers | None:
        """The models, and which source each may see: the one for all, unless they are parted."""
        return self.parted or (Readers.only(self.model) if self.model else None)

    def reopen(self, **changes: object) -> "Workbench":
        """The same folder and source in another process, as far as that can be told; `changes` replace fields."""
        self.engine.ledger.store.close()
        return replace(self, **changes)  # type: ignore[arg-type]  # the fields are checked by the dataclass

    def copied(self, root: Path) -> dict[str, object]:
        """The fields of the same in a copy of its folder, with a clock and a source of its own; this is closed."""
        self.engine.ledger.store.close()
        shutil.copytree(self.root, root, dirs_exist_ok=True)
        source = MemorySource(*self.source.sessions, name=self.source.name)
        clock = FixedClock(self.clock.moment)
        return {"root": root, "jobs": self.jobs, "clock": clock, "settings": self.settings, "source": source}

    def say(self, *sessions: Session) -> None:
        """Put sessions into the source."""
        for session in sessions:
            self.source.put(session)

    def run_due(self) -> list[Outcome]:
        """What `memory run` does."""
        self._look()
        return list(work_through(Runner(self.engine), due_now(self.engine, self.engine.jobs)))

    def backfill(self, first: date, last: date) -> list[Outcome]:
        """What `memory backfill` does with all jobs."""
        self._look()
        plan = in_days(self.engine, self.engine.jobs, first, last)
        return list(work_through(Runner(self.engine), plan, again=True))

    def pages(self) -> dict[str, bytes]:
        """Every Markdown file of the workspace with its bytes."""
        return {file.relative_to(self.root).as_posix(): file.read_bytes() for file in sorted(self.root.rglob("*.md"))}

    def _look(self) -> None:
        self.engine.catalog.refresh()
        refuse_left_behind(self.engine)
        rebuild_if_lost(self.engine)
        take_over_folds(self.engine)
        move_tombstones(self.engine)
        notice_returns(self.engine)
        if may_return(self.engine):
            forget_again(self.engine)
        notice_edits(self.engine)
        accept_losses(self.engine)
        notice_missing_pages(self.engine)

    def _open(self) -> Engine:
        workspace = Workspace(self.root, Layout(self.jobs, self.settings.agents.root))
        ledger = open_ledger(workspace.state_folder / "state.db", self.clock)
        ledger.agents.note(self.settings.agents.by_name, self.declared or self.settings.start or self.clock.now())
        locks = Locks(workspace.lock_folder, self.host)
        redactor = PlainRedactor(*self.secrets)
        pieces = cutting(self.jobs, self.settings, ledger, self.clock)
        return Engine(
            workspace=workspace.checked_by(locks.check),
            settings=self.settings,
            jobs=tuple(place_job(job, self.settings.agents.root) for job in check_jobs(self.jobs)),
            ledger=ledger,
            locks=locks,
            catalog=Catalog([self.source, *self.others], ledger, redactor, pieces),
            asker=lambda *, offline=False: Asker(None if offline else self.readers, ledger.answers, NoBudget(), 2),
            new_run_id=self._new_run_id,
            clock=self.clock,
            emit=self._hear,
        )

    def _new_run_id(self, now: datetime) -> str:
        return f"{now:%Y%m%dT%H%M%S}-{next(self._run_numbers):06d}"

    def _hear(self, event: Event, **fields: object) -> None:
        self.events.append((event, fields))


def endings(outcomes: Sequence[Outcome]) -> list[str]:
    """How runs ended, in order."""
    return [outcome.ending.value for outcome in outcomes]


def say_apart(bench: Workbench, *texts: str) -> None:
    """The owner says something every four hours from `MORNING` on, so that each is written by a run of its own."""
    bench.say(conversation("s1", MORNING, [("owner", text) for text in texts], step=timedelta(hours=4)))
