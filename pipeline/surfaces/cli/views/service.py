"""The lines of `memory status` about the service."""

from collections.abc import Iterator

from pipeline.reports.service import NO_SERVICE, RECENT, ServiceView, reasons_of
from pipeline.surfaces.cli.terminal.format import count, local


def service_lines(service: ServiceView) -> Iterator[tuple[str, str]]:
    """The lines about the service, each with its name."""
    yield "service", service.error or _sentence(service)
    if service.missed:
        yield "missed", f"{count(len(service.missed), 'tick')} within {RECENT.days} days: {reasons_of(service.missed)}"


def _sentence(service: ServiceView) -> str:
    if service.standing is None:
        return NO_SERVICE
    state = service.standing.state
    if service.state == "running":
        child = f"; at work on {state.child.job} since {local(state.child.since, service.zone)}" if state.child else ""
        return f"running since {local(state.started, service.zone)} (process {state.pid} on {state.host}){child}"
    how = "it was stopped, or ended with an error that its log tells"
    if service.state == "abandoned":
        how = "it was killed, or the machine stopped"
    return f"not running since {local(state.alive, service.zone)}: {how}; `memory serve` starts it again"
