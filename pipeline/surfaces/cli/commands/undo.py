"""`memory undo`."""

from collections.abc import Sequence
from datetime import date, timedelta

import click

from pipeline.clock import local_day
from pipeline.corrections.undo import taken_along, undo, undo_key
from pipeline.engine.context import Engine
from pipeline.engine.partition import key_in_words
from pipeline.errors import UnknownRun
from pipeline.job import Job, Period
from pipeline.ledger.runs import RunRecord
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.date_params import day_or_week_or_run
from pipeline.surfaces.cli.terminal.error_handler import tell
from pipeline.surfaces.cli.terminal.format import print_json
from pipeline.surfaces.cli.terminal.workspace import opened
from pipeline.surfaces.cli.views.run import run_named
from pipeline.surfaces.cli.views.undo import in_words


@click.command("undo")
@click.argument("run_or_key", metavar="RUN|DAY|WEEK", callback=day_or_week_or_run)
@options.as_json
@options.workspace
def command(run_or_key: str, workspace: str | None, *, as_json: bool) -> None:
    """Take back what a run wrote.

    Or all that was written for a day, such as 2026-02-20 (its wrap-up), or for a week, such as 2026-W08 (its plan, and
    what that changed in MEMORY.md), the newest run first.

    Exactly what a run wrote goes, and what it replaced comes back, where nobody has changed it since. The time is then
    left alone; only a back-fill, whose command is told, runs it again. `memory runs` lists the runs; the beginning of
    RUN is enough when no other run begins so.

    With --json: an object for each run, in which `removed`, `restored` and `left` are the names of our blocks.
    """
    with opened(workspace, looking=False) as engine:
        run_id = _run_id(engine, run_or_key)
        undone = [undo(engine, run_id)] if run_id else undo_key(engine, run_or_key)
        records = [record for each in undone if (record := engine.ledger.runs.find(each.run_id))]
        again = _again(engine, records)
        changes = [engine.ledger.changes.of_run(record.run_id) for record in records]
        zone = engine.zone
    for each, record, made in zip(undone, records, changes, strict=True):
        if as_json:
            told = {name: list(value) if isinstance(value, tuple) else value for name, value in vars(each).items()}
            print_json(told | {"job": record.job, "key": record.key, "again": again})
        else:
            click.echo("\n".join([*in_words(each, made), _ended(record, zone)]))
    if again and not as_json:
        click.echo(f"To run it again: {again}")


def _run_id(engine: Engine, given: str) -> str:
    """The run that is meant, which is told where only the beginning of its id was given; empty when none is.

    Raises:
        SeveralNames: several ids begin so.
    """
    try:
        record = run_named(engine, given)
    except UnknownRun:
        return ""
    if record.run_id != given:
        when = key_in_words(record.key, record.window, engine.zone)
        tell(f"undoing run {record.run_id} ({record.job}, {when}).")
    return record.run_id


def _ended(record: RunRecord, zone: str) -> str:
    return f"Run {record.run_id} ({record.job}, {key_in_words(record.key, record.window, zone)}) is undone."


def _again(engine: Engine, records: Sequence[RunRecord]) -> str | None:
    """The command that runs what was undone again; a back-fill takes the windows that begin on the days it names.

    `None` for what was no job's, such as an adoption.
    """
    windows = [(name, record) for record in records for name in _jobs_again(engine, record)]
    jobs = [job for job in engine.jobs if job.name in {name for name, _ in windows}]
    days = [_first_day(job, record, engine.zone) for job in jobs for name, record in windows if name == job.name]
    names = " ".join(job.name for job in jobs)
    return f"memory backfill {names} --from {min(days)} --to {max(days)}" if days else None


def _jobs_again(engine: Engine, record: RunRecord) -> list[str]:
    """The job of a run, and those that have to look again at what it writes; none for what was no job's."""
    known = any(job.name == record.job for job in engine.jobs)
    return [record.job, *(job.name for job in taken_along(engine, record))] if known else []


def _first_day(job: Job, record: RunRecord, zone: str) -> date:
    """The day on which the whole window begins: a week's run may have begun with `start`, in the middle of it."""
    day = local_day(record.window.start, zone)
    return day - timedelta(days=day.weekday()) if job.schedule.period is Period.WEEK else day
