"""`memory status`."""

import shlex
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import click

from pipeline.app.index import open_index
from pipeline.app.opening import rebuild_if_possible
from pipeline.backfill.orders import OrdersFolder, resume_words
from pipeline.backfill.run import to_run
from pipeline.clock import spoken
from pipeline.corrections.page_room import full_page
from pipeline.doctor.index import freshness
from pipeline.doctor.service import SILENT, silence
from pipeline.engine.context import Engine
from pipeline.engine.partition import key_in_words, partition_key
from pipeline.errors import PipelineError, ReadFailed
from pipeline.job import Period
from pipeline.ledger.runs import RunRecord
from pipeline.process.context import ProcessContext
from pipeline.reports.capture_rate import DAYS, Capture, captures
from pipeline.reports.status import (
    JobStanding,
    LockStanding,
    SourceStanding,
    again_command,
    backfill_command,
    job_standings,
    lock_standings,
    source_standings,
)
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.console import style
from pipeline.surfaces.cli.terminal.date_params import Day
from pipeline.surfaces.cli.terminal.environment import environment
from pipeline.surfaces.cli.terminal.format import clock_time, count, local, print_columns, print_json, printable
from pipeline.surfaces.cli.terminal.workspace import opened
from pipeline.surfaces.cli.views.grid import GRID_DAYS, show_grid
from pipeline.surfaces.cli.views.service import ServiceTold, service_told
from schemas.hot_page import PATH
from schemas.run_request import BackfillRequest
from schemas.service_state import JobState
from schemas.window import Window

_SHOWN = 5


@click.command("status")
@click.option("--grid", "as_grid", is_flag=True, help="Show a letter for each job and day (or week) instead.")
@click.option("--days", type=click.IntRange(1, 3_660), metavar="N", help="With --grid: how many days (30).")
@click.option("--to", "last", type=Day(), metavar="DAY", help="With --grid: the last day (today, or the last run for).")
@options.as_json
@options.workspace
def command(workspace: str | None, *, days: int | None, last: datetime | None, as_grid: bool, as_json: bool) -> None:
    """Show what is done, what is due and what needs a person.

    For each job its last success, when it is looked at next, what is due or waits, and how many of the sessions it read
    gave an entry; then the service, the locks that are held, how fresh the index is, and the sources; and whether
    MEMORY.md is full.
    """
    if (days or last) and not as_grid:
        message = f"{'--days' if days else '--to'} belongs to --grid."
        raise click.UsageError(message)
    with opened(workspace) as engine:
        rebuild_if_possible(engine)
        if as_grid:
            show_grid(engine, days or GRID_DAYS, last.date() if last else None, as_json=as_json)
            return
        zone, root = engine.zone, engine.workspace.root
        told = service_told(engine.workspace, engine.clock.now(), zone)
        jobs, sources, locks = job_standings(engine), source_standings(engine), lock_standings(engine)
        (heard, unread), full = _heard(engine), full_page(engine)
        stopped = [(each, len(to_run(engine, each))) for each in OrdersFolder(engine.workspace.state_folder).stopped()]
    index = _index(root)
    if as_json:
        for standing in jobs:
            print_json(described(standing, zone) | _more(standing, told, heard))
        print_json(told.as_object())
        for record in [
            *map(_lock, locks),
            *(_backfill(*each) for each in stopped if each[1]),
            index,
            *map(_source, sources),
            *([{"page": PATH} | vars(full)] if full else []),
        ]:
            print_json(record)
        return
    click.echo(f"{root} ({zone})\n")
    for standing in jobs:
        _show(standing, zone, told.jobs.get(standing.job.name, JobState()), heard.get(standing.job.name))
    rows_below = [*told.lines(), *(("lock", _held(each)) for each in locks), ("index", _follows(index))]
    rows_below += [("backfill", _goes_on(*each)) for each in stopped if each[1]]
    for name, line in rows_below:
        click.echo(f"{name:<9}{printable(line)}")
    click.echo()
    _show_sources(sources, zone)
    for name, trouble, advice in _unread(sources, root, zone):
        click.echo(f"\n{style('warning', fg='yellow')}  source {name}: {trouble}\n         {advice}")
    more = [(warning, SILENT) for warning in _warnings(heard)] + ([(f"{full.told}.", full.advice)] if full else [])
    for warning, advice in [*more, *unread]:
        click.echo(f"\n{style('warning', fg='yellow')}  {warning}\n         {advice}")


def _heard(engine: Engine) -> tuple[dict[str, Capture], list[tuple[str, str]]]:
    """How much of what came in was written down, by job; or why nobody can tell, with what to do."""
    try:
        return {each.job: each for each in captures(engine)}, []
    except ReadFailed as error:
        return {}, [(str(error), "`memory doctor` names all that cannot be read.")]


def described(standing: JobStanding, zone: str) -> dict[str, object]:
    """A job's standing as programs get it."""
    last, coming = standing.last_success, standing.upcoming
    return {
        "job": standing.job.name,
        "last_success": last.ended.isoformat() if last and last.ended else None,
        "rebuilt": standing.rebuilt.isoformat() if standing.rebuilt else None,
        "due": len(standing.due),
        "oldest_due": _span(standing.due[0]) if standing.due else None,
        "next": _span(coming.window) | {"run_from": coming.run_from.isoformat()} if coming else None,
        "troubled": [_trouble(record) for record in standing.troubled],
        "warned": _trouble(standing.warned) if standing.warned else None,
        "unknown": [_span(window) for window in standing.unknown],
        "backfill": shlex.join(backfill_command(standing.job.name, standing.unknown, zone))
        if standing.unknown
        else None,
        "at_work": standing.at_work or None,
    }


def _more(standing: JobStanding, told: ServiceTold, heard: dict[str, Capture]) -> dict[str, object]:
    """What the service and the sessions say of a job. Without the service it is looked at when it is next due."""
    state, capture = told.jobs.get(standing.job.name, JobState()), heard.get(standing.job.name)
    coming = standing.upcoming.run_from if standing.upcoming else None
    look = state.next_look or coming
    return {
        "next_look": look.isoformat() if look else None,
        "parked": state.parked.model_dump(mode="json") if state.parked else None,
        "capture": {"days": DAYS, "sessions": capture.sessions, "captured": capture.captured, "silent": capture.silent}
        if capture
        else None,
    }


def _show(standing: JobStanding, zone: str, state: JobState, capture: Capture | None) -> None:
    last, name = standing.last_success, standing.job.name
    click.echo(name)
    lost = f"not known; the ledger was rebuilt on {local(standing.rebuilt, zone)}" if standing.rebuilt else "never"
    click.echo(f"  last success  {local(last.ended, zone) if last else lost}")
    oldest = f", the oldest of {local(standing.due[0].start, zone)}" if standing.due else ""
    click.echo(f"  due           {count(len(standing.due), 'window') if standing.due else 'nothing'}{oldest}")
    click.echo(f"  next          {_next(standing, zone)}")
    if state.next_look:
        click.echo(f"  next look     {local(state.next_look, zone)}, by the service")
    if state.parked:
        failed = f"since {local(state.parked.since, zone)}, after {count(state.parked.failures, 'failure')}"
        click.echo(f"  parked        {failed}: {printable(state.parked.reason)}")
        click.echo(f"                Mend that, then `memory run {name}`; once it ends well, the service goes on.")
    if capture and capture.sessions:
        told = f"{capture.captured} of {count(capture.sessions, 'session')} within {DAYS} days gave an entry"
        click.echo(f"  captured      {told}")
    _show_trouble(standing, zone)
    click.echo()


def _show_trouble(standing: JobStanding, zone: str) -> None:
    if standing.at_work:
        click.echo(f"  at work       {standing.at_work}")
    for record in standing.troubled[:_SHOWN]:
        outcome, when = record.outcome, key_in_words(record.key, record.window, zone)
        again = shlex.join(again_command(standing, record.window, zone))
        click.echo(f"  {outcome.ending if outcome else '':<13} {when}: {printable(outcome.warning if outcome else '')}")
        click.echo(f"                `memory runs show {record.run_id}` tells more; `{again}` runs it again")
    if len(standing.troubled) > _SHOWN:
        click.echo(f"  ... and {len(standing.troubled) - _SHOWN} more; see `memory runs --job {standing.job.name}`")
    if (warned := standing.warned) and warned.outcome:
        click.echo(f"  warning       {local(warned.began, zone)}: {printable(warned.outcome.warning)}")
    if standing.unknown:
        command = shlex.join(backfill_command(standing.job.name, standing.unknown, zone))
        click.echo("  unknown       the ledger was lost, and some time may not have been done; to be sure:")
        click.echo(f"                {command}")


def _show_sources(sources: list[SourceStanding], zone: str) -> None:
    rows = [(each.name, str(each.sessions), local(each.first, zone), local(each.last, zone), each.path)
            for each in sources]  # fmt: skip
    print_columns(rows, ("SOURCE", "SESSIONS", "FIRST", "LAST", "PATH"))
    if not sources:
        click.echo("No sources are named in memory.toml.")


def _unread(sources: list[SourceStanding], root: Path, zone: str) -> Iterator[tuple[str, str, str]]:
    """What of the sources cannot be read: the source, how much since when and why, and what to do."""
    for source in sources:
        if trouble := source.trouble:
            advice = trouble.advice(root / Path(source.path).expanduser())
            yield source.name, printable(trouble.told(local(trouble.since, zone))), printable(advice)


def _warnings(heard: dict[str, Capture]) -> Iterator[str]:
    return (f"{silence(each.job, each.sessions)}\n         {SILENT}" for each in heard.values() if each.silent)


def _next(standing: JobStanding, zone: str) -> str:
    coming = standing.upcoming
    if coming is None:
        return "nothing, because memory.toml sets no `start`"
    window, job = coming.window, standing.job
    if job.schedule.period is not Period.TICK:
        return f"{partition_key(job, window, zone)}, run from {local(coming.run_from, zone)}"
    return f"{spoken(window.start, window.end, zone)}, run from {clock_time(coming.run_from, zone)}"


def _index(root: Path) -> dict[str, object]:
    """How fresh the index is, as programs get it; `error` when that cannot be told."""
    try:
        with open_index(root, ProcessContext(environment())) as held:
            told = freshness(held.indexing)
    except PipelineError as error:
        return {"index": "unusable", "changed": None, "error": str(error)}
    state = "none" if not told.there else "behind" if told.changed else "fresh"
    return {"index": state, "changed": told.changed if told.there else None, "error": None}


def _follows(index: dict[str, object]) -> str:
    if index["error"]:
        return str(index["error"])
    if index["index"] == "none":
        return "there is none yet; a first search makes it"
    changed = int(str(index["changed"]))
    return f"{count(changed, 'file')} changed since; the next search follows" if changed else "up to date"


def _held(lock: LockStanding) -> str:
    return f"{lock.name} is held by {lock.holder}"


def _lock(lock: LockStanding) -> dict[str, object]:
    until = lock.deadline.isoformat() if lock.deadline else None
    return {"lock": lock.name, "pid": lock.pid, "holder": lock.holder, "deadline": until}


def _goes_on(orders: BackfillRequest, left: int) -> str:
    of = f"{', '.join(orders.jobs)} from {orders.first} to {orders.last}"
    return f"{of} was stopped, {count(left, 'window')} left; `{shlex.join(resume_words(orders))}` goes on"


def _backfill(orders: BackfillRequest, left: int) -> dict[str, object]:
    return {"backfill": orders.id, "jobs": orders.jobs, "left": left, "resume": resume_words(orders)}


def _span(window: Window) -> dict[str, str]:
    return {"start": window.start.isoformat(), "end": window.end.isoformat()}


def _trouble(record: RunRecord) -> dict[str, str]:
    ending, warning = (record.outcome.ending.value, record.outcome.warning) if record.outcome else ("", "")
    return {"run_id": record.run_id, "key": record.key, "ending": ending, "warning": warning}


def _source(source: SourceStanding) -> dict[str, object]:
    return {
        "source": source.name,
        "kind": source.kind,
        "path": source.path,
        "sessions": source.sessions,
        "first": source.first.isoformat() if source.first else None,
        "last": source.last.isoformat() if source.last else None,
        "unreadable": source.trouble.as_object() if source.trouble else None,
    }
