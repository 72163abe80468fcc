"""What `memory status` says of the service."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from pipeline.errors import ReadFailed
from pipeline.reports.service import NO_SERVICE, RECENT, ServiceStanding, missed_lately, reasons_of, service_standing
from pipeline.surfaces.cli.terminal.format import count, local
from pipeline.workspace.files import Workspace
from schemas.service_state import JobState, MissedTick


@dataclass(frozen=True)
class ServiceTold:
    """The service as it is told. `jobs` are its jobs by name, without looks to come when it does not run."""

    standing: ServiceStanding | None
    zone: str
    error: str = ""
    jobs: Mapping[str, JobState] = field(default_factory=dict)
    missed: tuple[MissedTick, ...] = ()

    @property
    def state(self) -> str:
        """One word for it."""
        if self.error:
            return "unreadable"
        if self.standing is None:
            return "none"
        return "running" if self.standing.running else "abandoned" if self.standing.abandoned else "stopped"

    def lines(self) -> Iterator[tuple[str, str]]:
        """What a person reads, each line with its name."""
        yield "service", self.error or self._sentence()
        if self.missed:
            yield "missed", f"{count(len(self.missed), 'tick')} within {RECENT.days} days: {reasons_of(self.missed)}"

    def as_object(self) -> dict[str, object]:
        """What programs read."""
        told = self.standing.state if self.standing else None
        return {
            "service": self.state,
            "pid": told.pid if told else None,
            "host": told.host if told else None,
            "version": told.version if told else None,
            "started": told.started.isoformat() if told else None,
            "alive": told.alive.isoformat() if told else None,
            "child": told.child.model_dump(mode="json") if told and told.child and self.state == "running" else None,
            "missed": [tick.model_dump(mode="json") for tick in self.missed],
            "error": self.error or None,
        }

    def _sentence(self) -> str:
        if self.standing is None:
            return NO_SERVICE
        told = self.standing.state
        if self.state == "running":
            child = f"; at work on {told.child.job} since {local(told.child.since, self.zone)}" if told.child else ""
            return f"running since {local(told.started, self.zone)} (process {told.pid} on {told.host}){child}"
        how = "it was stopped, or ended with an error that its log tells"
        if self.state == "abandoned":
            how = "it was killed, or the machine stopped"
        return f"not running since {local(told.alive, self.zone)}: {how}; `memory serve` starts it again"


def service_told(workspace: Workspace, now: datetime, zone: str) -> ServiceTold:
    """The service of a workspace as it is told."""
    try:
        standing = service_standing(workspace)
    except ReadFailed as error:
        return ServiceTold(None, zone, error=str(error))
    if standing is None:
        return ServiceTold(None, zone)
    looks = {} if standing.running else {"next_look": None}
    jobs = {name: job.model_copy(update=looks) for name, job in standing.state.jobs.items()}
    return ServiceTold(standing, zone, jobs=jobs, missed=missed_lately(standing.state, now))
