"""The state of a workspace's service, from its state file, and whether its process is alive."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pydantic import ValidationError

from pipeline.errors import ReadFailed, WriteFailed
from pipeline.ledger.runs import RunRecord
from pipeline.workspace.atomic import is_alive
from pipeline.workspace.files import Workspace
from pipeline.workspace.locks import Latch
from pipeline.workspace.regular_files import open_regular, read_regular
from pipeline.workspace.service_files import LOGS, STATE, ServiceFolder
from schemas.reports.status import ServiceReport
from schemas.service_state import JobState, MissedTick, ServiceState

NO_SERVICE = "no service runs here; `memory serve` starts one, timers or cron need none"
"""The text for a workspace that has never had a service."""
RECENT = timedelta(days=7)
"""The time for which missed ticks are reported."""
_TAIL_BYTES = 32_000  # of a log, at most


@dataclass(frozen=True)
class ServiceStanding:
    """The service. It is `running` when it holds its lock; `abandoned` when it does not and has not ended in order."""

    state: ServiceState
    running: bool
    abandoned: bool


@dataclass(frozen=True)
class ServiceView:
    """The service for a report. `jobs` are its jobs by name, without a next look when it does not run."""

    standing: ServiceStanding | None
    zone: str
    error: str = ""
    jobs: Mapping[str, JobState] = field(default_factory=dict)
    missed: tuple[MissedTick, ...] = ()

    @property
    def state(self) -> str:
        """The state in a word."""
        if self.error:
            return "unreadable"
        if self.standing is None:
            return "none"
        return "running" if self.standing.running else "abandoned" if self.standing.abandoned else "stopped"


def service_standing(workspace: Workspace) -> ServiceStanding | None:
    """The service of a workspace; `None` when there has never been one.

    Raises:
        ReadFailed: its state file cannot be read.
    """
    path, folder = STATE, ServiceFolder(workspace.root)
    try:
        state = ServiceState.model_validate_json(read_regular(folder.state))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ReadFailed(path, error.strerror or str(error)) from error
    except ValidationError as error:
        why = "it is not what a service of this version writes"
        raise ReadFailed(path, why) from error
    running = _is_held(folder.lock, state)
    return ServiceStanding(state, running, abandoned=not running and folder.address.exists())


def service_view(workspace: Workspace, now: datetime, zone: str) -> ServiceView:
    """The service of a workspace for a report; an unreadable state file becomes its `error`."""
    try:
        standing = service_standing(workspace)
    except ReadFailed as error:
        return ServiceView(None, zone, error=str(error))
    if standing is None:
        return ServiceView(None, zone)
    looks = {} if standing.running else {"next_look": None}
    jobs = {name: job.model_copy(update=looks) for name, job in standing.state.jobs.items()}
    return ServiceView(standing, zone, jobs=jobs, missed=missed_lately(standing.state, now))


def service_report(view: ServiceView) -> ServiceReport:
    """The service as programs get it."""
    state = view.standing.state if view.standing else None
    child = state.child if state and view.state == "running" else None
    return ServiceReport(
        service=view.state,
        pid=state.pid if state else None,
        host=state.host if state else None,
        version=state.version if state else None,
        started=state.started if state else None,
        alive=state.alive if state else None,
        child=child.model_dump(mode="json") if child else None,
        missed=tuple(tick.model_dump(mode="json") for tick in view.missed),
        error=view.error or None,
    )


def missed_lately(state: ServiceState, now: datetime) -> tuple[MissedTick, ...]:
    """The ticks that were missed within `RECENT` before `now`."""
    return tuple(tick for tick in state.missed if tick.at >= now - RECENT)


def reasons_of(missed: Iterable[MissedTick]) -> str:
    """The reasons for which ticks were missed, and how many each time: `2 asleep, 1 down`; empty when none was."""
    reasons = Counter(tick.why.value for tick in missed)
    return ", ".join(f"{number} {why}" for why, number in reasons.most_common())


def log_of(workspace: Workspace, run: RunRecord) -> str:
    """The log of the service's child that did a run, relative to the workspace; empty when there is none (any more).

    It was begun before the run, written after that began, and names the run.
    """
    began, wanted = f"{run.began.astimezone(UTC):%Y%m%dT%H%M%S}", run.run_id.encode()
    for file in sorted(ServiceFolder(workspace.root).logs.glob("*.log"), reverse=True):
        with suppress(OSError):  # logs grow too old and are removed
            covers = file.name[: len(began)] <= began and file.stat().st_mtime >= run.began.timestamp()
            if covers and wanted in read_regular(file):
                return f"{LOGS}/{file.name}"
    return ""


def end_of_log(workspace: Workspace, path: str, most: int) -> list[str]:
    """The last lines of a log, at most so many; none of one that is gone. `path` is relative to the workspace."""
    tail = b""
    with suppress(OSError), open(workspace.root / path, "rb", opener=open_regular) as stream:
        stream.seek(max(0, stream.seek(0, os.SEEK_END) - _TAIL_BYTES))
        tail = stream.read(_TAIL_BYTES)
    return tail.decode(errors="replace").splitlines()[-most:]


def _is_held(lock: Path, state: ServiceState) -> bool:
    """Whether the lock is held: nothing else distinguishes a process from a later one with the same number."""
    try:
        return Latch(lock).is_held
    except WriteFailed:  # no right to try
        return is_alive(state.pid)
