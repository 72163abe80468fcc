"""What a run works with, gathered in one value so that few arguments travel."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from zoneinfo import ZoneInfo

from pipeline.clock import SystemClock
from pipeline.events import Emit, silent
from pipeline.job import Job
from pipeline.ledger import Ledger
from pipeline.model.ask import Asker
from pipeline.ports.engine import Clock
from pipeline.process.cancellation import CancellationToken
from pipeline.transcripts.catalog import Catalog
from pipeline.workspace.files import Workspace
from pipeline.workspace.locks import Locks
from schemas.settings import Settings


class AskerMaker(Protocol):
    """Makes the way to the configured model, if there is one, or the way without."""

    def __call__(self, *, offline: bool = False) -> Asker:
        """One for a run."""


@dataclass(frozen=True)
class Engine:
    """One workspace with all that it takes to run jobs on it.

    `allow_shrink` lets many entries vanish, or a rewrite lose some, because the person said so.
    """

    workspace: Workspace
    settings: Settings
    jobs: tuple[Job, ...]
    ledger: Ledger
    locks: Locks
    catalog: Catalog
    asker: AskerMaker
    new_run_id: Callable[[datetime], str]
    clock: Clock = field(default_factory=SystemClock)
    emit: Emit = silent
    safe_point: CancellationToken = field(default_factory=CancellationToken)
    allow_shrink: bool = False

    @property
    def zone(self) -> str:
        """The workspace's IANA zone."""
        return self.settings.timezone

    def local_now(self) -> datetime:
        """The present moment in the workspace's zone."""
        return self.clock.now().astimezone(ZoneInfo(self.zone))
