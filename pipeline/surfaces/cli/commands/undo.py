"""`memory undo`."""

import click

from pipeline.corrections.undo import undo, undo_key
from pipeline.corrections.undo_report import again_command, undone_run
from pipeline.engine.context import Engine
from pipeline.engine.partition import key_in_words
from pipeline.errors import UnknownRun
from pipeline.ledger.runs import RunRecord
from pipeline.reports.runs import run_named
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.date_params import run_or_period
from pipeline.surfaces.cli.terminal.error_handler import print_message
from pipeline.surfaces.cli.terminal.format import print_json
from pipeline.surfaces.cli.terminal.workspace import opened
from pipeline.surfaces.cli.views.progress import outcome_line
from pipeline.surfaces.cli.views.undo import in_words


@click.command("undo")
@click.argument("run_or_key", metavar="RUN|DAY|WEEK|MONTH", callback=run_or_period)
@options.as_json
@options.workspace
def command(run_or_key: str, workspace: str | None, *, as_json: bool) -> None:
    """Take back what a run wrote.

    Or all that was written for a day, such as 2026-02-20 (its wrap-up), for a week, such as 2026-W08 (its plan), or for
    a month, such as 2026-02, the newest run first. A page that is made of what was taken back, such as MEMORY.md of the
    plans, is rendered again.

    Exactly what a run wrote goes, and what it replaced comes back, where nobody has changed it since. The time is then
    left alone; only a back-fill, whose command is told, runs it again. `memory runs` lists the runs; the beginning of
    RUN is enough when no other run begins so.

    With --json: an object for each run, in which `removed`, `restored` and `left` are the names of our blocks.
    """
    with opened(workspace, looking=False) as engine:
        run_id = _run_id(engine, run_or_key)
        undone = [undo(engine, run_id)] if run_id else undo_key(engine, run_or_key)
        records = [record for withdrawn in undone if (record := engine.ledger.runs.find(withdrawn.run_id))]
        again = again_command(engine, records)
        changes = [engine.ledger.changes.of_run(record.run_id) for record in records]
        zone = engine.zone
    for withdrawn, record, made in zip(undone, records, changes, strict=True):
        if as_json:
            print_json(undone_run(withdrawn, record, again))
        else:
            click.echo("\n".join([*in_words(withdrawn, made), _ended(record, zone)]))
            for outcome in withdrawn.rendered:
                click.echo(outcome_line(outcome, zone))
    if again and not as_json:
        click.echo(f"To run it again: {again}")


def _run_id(engine: Engine, given: str) -> str:
    """The run that is meant; a beginning of its id is completed in a message. Empty when no run is meant.

    Raises:
        SeveralNames: several ids begin so.
    """
    try:
        record = run_named(engine, given)
    except UnknownRun:
        return ""
    if record.run_id != given:
        when = key_in_words(record.key, record.window, engine.zone)
        print_message(f"undoing run {record.run_id} ({record.job}, {when}).")
    return record.run_id


def _ended(record: RunRecord, zone: str) -> str:
    return f"Run {record.run_id} ({record.job}, {key_in_words(record.key, record.window, zone)}) is undone."
