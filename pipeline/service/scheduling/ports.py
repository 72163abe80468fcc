"""The ports of the dispatcher: the start of children, the workspace, clocks, the state file, chance."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Protocol

from pipeline.events import Emit, silent
from pipeline.service.scheduling.clock_jumps import ClockReading, read_clocks
from pipeline.service.scheduling.retry_policy import ScheduledJob
from pipeline.service.scheduling.state_file import StateFile


class Child(Protocol):
    """A process that runs a job."""

    @property
    def job(self) -> str:
        """The job's name."""

    @property
    def pid(self) -> int:
        """The process."""

    @property
    def log(self) -> Path:
        """The file that its output goes to."""

    def exit_code(self) -> int | None:
        """The exit code, 128 and the signal's number when a signal ended it; `None` while the process runs."""

    def stop(self) -> None:
        """Ask it to reach its safe point and end."""


Starting = Callable[[str], Child]
"""Starts `memory run JOB` for the name of a job. Raises a `PipelineError` when it cannot."""


class WatchedWorkspace(Protocol):
    """The service's subject: one workspace, its jobs and their ledger. `LedgerWorkspace` is the real one."""

    @property
    def zone(self) -> str:
        """The workspace's IANA zone at the last look."""

    def look(self, since: datetime, now: datetime) -> Sequence[ScheduledJob]:
        """Every job, each after those it needs; their ticks after `since` up to `now`."""

    def is_due(self, job: str) -> bool:
        """Whether the ledger knows of a window of the job that is to run now."""


@dataclass(frozen=True)
class DispatcherOptions:
    """The parameters of a dispatcher. `root` is the workspace, `file` carries the state from one life to the next."""

    root: Path
    file: StateFile
    version: str
    emit: Emit = silent
    read: Callable[[], ClockReading] = read_clocks
    dice: Random = field(default_factory=Random)
