"""The checks of the service, and of windows that wait for a command of the user."""

import re
import shlex
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime, timedelta
from operator import attrgetter
from zoneinfo import ZoneInfo

from pipeline.engine.context import Engine
from pipeline.engine.partitioning.clocked import schedule_of
from pipeline.install import unit_folders
from pipeline.ledger.shipping import Shipping
from pipeline.reports.service import (
    NO_SERVICE,
    RECENT,
    ServiceStanding,
    missed_lately,
    reasons_of,
    service_standing,
    service_view,
)
from pipeline.reports.sources import DAYS, captures
from pipeline.reports.status import JobStanding, backfill_command, outstanding
from pipeline.scheduling.registry import with_upstream
from pipeline.scheduling.windows import closes
from pipeline.service.monitoring.pings import address_problem
from pipeline.settings.locate import SETTINGS_FILE
from schemas.checkup import CheckResult, Health

UNTRIED_FOR = timedelta(days=2)
"""The time without an attempt after which a due window is reported: a laptop sleeps for longer than a day."""
SILENT_FOR = timedelta(minutes=10)
"""The age of the state file from which a live service counts as hanging: the service writes it once a minute."""
_SERVES = re.compile(r"^ExecStart=.* serve$", re.MULTILINE)
_SERVE = "`memory serve` starts it"


def check_pings(engine: Engine) -> Iterator[CheckResult]:
    """Check the address that is told of runs."""
    if problem := address_problem(engine.settings):
        advice = f"Mend it in {engine.workspace.root / SETTINGS_FILE}: nobody is told of runs, and no service starts."
        yield CheckResult("pings", Health.FAIL, problem, advice)


def check_service(engine: Engine) -> Iterator[CheckResult]:
    """Check the process of the service, and the jobs that it parked."""
    standing = service_standing(engine.workspace)
    if standing is None:
        yield CheckResult("service", Health.OK, NO_SERVICE)
        return
    yield _process_result(engine, standing)
    for name, job in standing.state.jobs.items():
        if job.parked:
            message = f"{name} has been parked since {_format_time(engine, job.parked.since)}: {job.parked.reason}"
            advice = f"Mend that, then `memory run {name}`: once it ends well, the service goes on with it."
            yield CheckResult("service", Health.FAIL, message, advice)
    if reasons := reasons_of(missed_lately(standing.state, engine.clock.now())):
        yield CheckResult("service", Health.OK, f"ticks missed within {RECENT.days} days: {reasons}")


def check_units(engine: Engine, environment: Mapping[str, str]) -> Iterator[CheckResult]:
    """Check for an installed service that does not run."""
    if service_view(engine.workspace, engine.clock.now(), engine.zone).state in {"running", "unreadable"}:
        return
    for manager, folder in unit_folders(str(engine.workspace.root), environment).items():
        for unit in folder.ours():
            if _SERVES.search(folder.text(unit) or ""):
                message = f"{folder.path / unit} is installed, and no service runs"
                advice = f"`{manager} enable --now {unit}` starts it, `{manager} status {unit}` tells why it stopped."
                yield CheckResult("service", Health.WARN, message, advice)


def _process_result(engine: Engine, standing: ServiceStanding) -> CheckResult:
    state = standing.state
    if standing.abandoned:
        last = _format_time(engine, state.alive)
        message = f"process {state.pid} on {state.host} said no goodbye; its last word is of {last}"
        return CheckResult("service", Health.WARN, message, f"It was killed, or the machine stopped. {_SERVE} again.")
    if not standing.running:
        return CheckResult(
            "service", Health.OK, f"not running since {_format_time(engine, state.alive)}; {_SERVE} again"
        )
    if state.alive < engine.clock.now() - SILENT_FOR:
        message = (
            f"process {state.pid} is there, and has said nothing since {_format_time(engine, state.alive)}: it hangs"
        )
        return CheckResult("service", Health.FAIL, message, f"End it (`kill {state.pid}`); {_SERVE} again.")
    return CheckResult(
        "service", Health.OK, f"process {state.pid} is at work since {_format_time(engine, state.started)}"
    )


def check_schedule(engine: Engine, standings: Collection[JobStanding]) -> Iterator[CheckResult]:
    """Check for due time that no run will reach by itself, or that no run has tried for long."""
    troubled = {standing.job.name for standing in standings if standing.troubled}
    for standing in standings:
        name = standing.job.name
        # Only its settings leave windows of a job to a back-fill, and only those of a job with a clock.
        all_windows = outstanding(engine, standing.job) if standing.job.clock and name in engine.settings.jobs else []
        if left := sorted(set(all_windows).difference(standing.due), key=attrgetter("end")):
            command = shlex.join(backfill_command(name, left, engine.zone))
            message = f"{len(left)} window(s) of {name} are left to a back-fill by jobs.{name}.catch_up or max_age"
            yield CheckResult("schedule", Health.WARN, message, f"Run `{command}`, or leave them.")
        # Windows behind one that fails or waits are not tried, nor are dependent jobs: other checks report that.
        if not troubled.intersection(job.name for job in with_upstream([standing.job], engine.jobs)):
            yield from _late_windows(engine, standing)


def _late_windows(engine: Engine, standing: JobStanding) -> Iterator[CheckResult]:
    name, schedule, before = standing.job.name, schedule_of(engine, standing.job), engine.clock.now() - UNTRIED_FOR
    late = [window for window in standing.due if schedule and closes(schedule, engine.zone, window) < before]
    if late:
        message = f"{len(late)} window(s) of {name} are due, the oldest of {_format_time(engine, late[0].start)}"
        advice = f"Nothing has run them. `memory run {name}` does; {_SERVE} to do so by itself."
        yield CheckResult("schedule", Health.WARN, message, advice)


def check_capture(engine: Engine) -> Iterator[CheckResult]:
    """Check how many sessions gave an entry."""
    for job, rate in captures(engine).items():
        if rate.silent:
            yield CheckResult("capture", Health.WARN, silence(job, rate.sessions), SILENT)
        elif rate.sessions:
            message = f"{rate.captured} of {rate.sessions} session(s) of {rate.days} days gave {job} an entry"
            yield CheckResult("capture", Health.OK, message)


SILENT = (
    "`memory show run ID` tells what a run passed over and rejected, `memory show transcript ID` whose words are "
    "taken for yours (owner.ids), `memory suggestions` what waits for you. Without a model, some wording is not "
    "understood: docs/how-to/use-a-model.md."
)
"""The advice about a capture rate of zero."""


def silence(job: str, sessions: int) -> str:
    """The message about a job with a capture rate of zero."""
    return f"{job} ends well and writes nothing: not one of {sessions} sessions within {DAYS} days gave an entry"


def _format_time(engine: Engine, moment: datetime) -> str:
    return f"{moment.astimezone(ZoneInfo(engine.zone)):%Y-%m-%d %H:%M}"


def check_shipping(engine: Engine) -> Iterator[CheckResult]:
    """Check when `memory ship` last sent what is new, where the settings name a server, and whether it fails."""
    if not engine.settings.ship.url:
        return
    state = Shipping(engine.ledger.store).state
    if state.failed:
        message = f"it fails since {_format_time(engine, state.failed)}: {state.failure}"
        yield CheckResult("ship", Health.WARN, message, "`memory ship` tries again; nothing is lost meanwhile.")
    elif state.looked is None:
        advice = "`memory ship --dry-run` shows what would be sent, and `memory ship` sends it."
        yield CheckResult("ship", Health.WARN, "nothing was sent yet", advice)
    elif engine.clock.now() - state.looked > UNTRIED_FOR:
        message = f"the last was at {_format_time(engine, state.looked)}"
        yield CheckResult("ship", Health.WARN, message, "Look whether its timer runs.")
    else:
        yield CheckResult("ship", Health.OK, f"the last was at {_format_time(engine, state.looked)}")
