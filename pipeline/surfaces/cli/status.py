"""`memory status`."""

import shlex

import click

from pipeline.job import Period
from pipeline.ledger.runs import RunRecord
from pipeline.overview import JobStanding, SourceStanding, backfill_command, job_standings, source_standings
from pipeline.partition import partition_key
from pipeline.surfaces.cli import options
from pipeline.surfaces.cli.opening import opened, rebuild_if_possible
from pipeline.surfaces.cli.rendering import clock_time, count, local, print_columns, print_json, printable
from schemas.window import Window

_SHOWN = 5


@click.command("status")
@options.as_json
@options.workspace
def command(workspace: str | None, *, as_json: bool) -> None:
    """Show what is done, due and in need of a person."""
    with opened(workspace) as engine:
        rebuild_if_possible(engine)
        zone, root = engine.zone, engine.workspace.root
        jobs, sources = job_standings(engine), source_standings(engine)
    if as_json:
        for standing in jobs:
            print_json(described(standing, zone))
        for source in sources:
            print_json(_source(source))
        return
    click.echo(f"{root} ({zone})\n")
    for standing in jobs:
        _show(standing, zone)
    rows = [(each.name, str(each.sessions), local(each.first, zone), local(each.last, zone), each.path)
            for each in sources]  # fmt: skip
    print_columns(rows, ("SOURCE", "SESSIONS", "FIRST", "LAST", "PATH"))
    if not sources:
        click.echo("No sources are named in memory.toml.")


def described(standing: JobStanding, zone: str) -> dict[str, object]:
    """A job's standing as programs get it."""
    last, coming = standing.last_success, standing.upcoming
    return {
        "job": standing.job.name,
        "last_success": last.ended.isoformat() if last and last.ended else None,
        "due": len(standing.due),
        "oldest_due": _span(standing.due[0]) if standing.due else None,
        "next": _span(coming.window) | {"run_from": coming.run_from.isoformat()} if coming else None,
        "troubled": [_trouble(record) for record in standing.troubled],
        "unknown": [_span(window) for window in standing.unknown],
        "backfill": shlex.join(backfill_command(standing.job.name, standing.unknown, zone))
        if standing.unknown
        else None,
        "at_work": standing.at_work or None,
    }


def _show(standing: JobStanding, zone: str) -> None:
    last = standing.last_success
    click.echo(standing.job.name)
    click.echo(f"  last success  {local(last.ended, zone) if last else 'never'}")
    oldest = f", the oldest of {local(standing.due[0].start, zone)}" if standing.due else ""
    click.echo(f"  due           {count(len(standing.due), 'window') if standing.due else 'nothing'}{oldest}")
    click.echo(f"  next          {_next(standing, zone)}")
    if standing.at_work:
        click.echo(f"  at work       {standing.at_work}")
    for record in standing.troubled[:_SHOWN]:
        outcome = record.outcome
        click.echo(
            f"  {outcome.ending if outcome else '':<13} {record.key}  {printable(outcome.warning if outcome else '')}"
        )
    if len(standing.troubled) > _SHOWN:
        click.echo(f"  ... and {len(standing.troubled) - _SHOWN} more; see `memory runs --job {standing.job.name}`")
    if standing.unknown:
        command = shlex.join(backfill_command(standing.job.name, standing.unknown, zone))
        click.echo("  unknown       the ledger was lost, and some time may not have been done; to be sure:")
        click.echo(f"                {command}")
    click.echo()


def _next(standing: JobStanding, zone: str) -> str:
    coming = standing.upcoming
    if coming is None:
        return "nothing, because memory.toml sets no `start`"
    window, job = coming.window, standing.job
    if job.schedule.period is not Period.TICK:
        return f"{partition_key(job, window, zone)}, run from {local(coming.run_from, zone)}"
    told = f"{local(window.start, zone)} - {clock_time(window.end, zone)}"
    return f"{told}, run from {clock_time(coming.run_from, zone)}"


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
    }
