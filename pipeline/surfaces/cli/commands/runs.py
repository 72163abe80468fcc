"""`memory runs`."""

import click

from pipeline.engine.context import Engine
from pipeline.engine.partition import key_in_words
from pipeline.ledger.runs import RunRecord
from pipeline.reports.runs import listed_run, run_named, shown
from pipeline.scheduling.registry import named
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal import streams as output
from pipeline.surfaces.cli.terminal.format import count, local, print_columns, print_json, printable, to_the_second
from pipeline.surfaces.cli.terminal.workspace import opened
from pipeline.surfaces.cli.views.follow import Happening, follow, until_ended
from pipeline.surfaces.cli.views.run import print_run
from schemas.outcome import Ending

_NEWEST = 20
_MOST = 1_000_000
_WHEN = len("2026-02-20 12:00 to 15:00")  # of a window; a day and a week take less
_ENDING = max(map(len, Ending))


@click.group("runs", invoke_without_command=True)
@click.option("--job", metavar="JOB", help="Only runs of this job.")
@click.option(
    "--limit",
    type=click.IntRange(min=1, max=_MOST),
    metavar="N",
    help=f"How many; {_NEWEST} when neither this nor --all is given.",
)
@click.option(
    "--all", "everything", is_flag=True, help="All runs, also those that found nothing; --json always has them."
)
@click.option("--follow", "following", is_flag=True, help="Show runs as they begin and end, until interrupted.")
@options.as_json
@options.workspace
@click.pass_context
def command(  # noqa: PLR0913 - one for each option
    ctx: click.Context,
    job: str | None,
    limit: int | None,
    workspace: str | None,
    *,
    everything: bool,
    following: bool,
    as_json: bool,
) -> None:
    """List past runs, or show one.

    The newest come first. Runs that found nothing are left out without --all; --json always has them.
    """
    if ctx.invoked_subcommand:
        return
    with opened(workspace, looking=False) as engine:
        named([job] if job else [], engine.jobs)
        if following:
            _follow(engine, job or "", as_json=as_json)
            return
        zone, runs = engine.zone, engine.ledger.runs
        without = None if everything or as_json else Ending.EMPTY
        records = runs.latest(job or "", limit or (_MOST if everything else _NEWEST), without=without)
        hidden = runs.count(without, job or "") if without else 0
    if as_json:
        for record in records:
            print_json(listed_run(record))
    elif records or hidden:
        _list(records, zone)
        _say_hidden(hidden)
    else:
        click.echo("Nothing has been run yet.")


@command.command("show")
@click.argument("run_id", metavar="ID")
@click.option("--follow", "following", is_flag=True, help="If the run goes on, wait until it ends.")
@options.as_json
@options.workspace
def show(run_id: str, workspace: str | None, *, following: bool, as_json: bool) -> None:
    """Show one run: what it read, how it ended and why, what it wrote, and what the model took.

    The beginning of ID is enough when no other run begins so. What it wrote is shown as the difference that it made
    then. Its log is there when the service ran it, as long as `retention` says.
    """
    with opened(workspace, looking=False) as engine:
        record = run_named(engine, run_id)
        report = shown(engine, record)
        if following and report.alive:
            click.echo(f"{report.run_id} of {report.job} goes on ...", err=True)
            ended = until_ended(engine.ledger.runs, report.run_id, lambda record: shown(engine, record).alive)
            report = shown(engine, ended or record)
        zone, keeps = engine.zone, engine.settings.retention.days
    print_json(report) if as_json else print_run(report, zone, keeps)


def _follow(engine: Engine, job: str, *, as_json: bool) -> None:
    for happening in follow(engine.ledger.runs, job):
        if as_json:
            print_json({"happening": happening.name} | vars(listed_run(happening.record)))
        else:
            click.echo(_line(happening, engine))
        if output.lost():
            return


def _line(happening: Happening, engine: Engine) -> str:
    """One line; a job's name takes as much room as the longest, so that the columns stand under each other."""
    record = happening.record
    moment, outcome = record.ended or record.began, record.outcome
    width = max(len(job.name) for job in engine.jobs)
    when = key_in_words(record.key, record.window, engine.zone)
    row = f"{to_the_second(moment, engine.zone)}  {record.run_id}  {record.job:<{width}}  {when:<{_WHEN}}"
    if outcome is None:
        return f"{row}  {happening.name}"
    why = f"  {printable(outcome.warning)}" if outcome.warning else ""
    return f"{row}  {_ending(record):<{_ENDING}}  {_wrote(record)}".rstrip() + why


def _list(records: list[RunRecord], zone: str) -> None:
    rows = [
        (record.run_id, record.job, local(record.window.start, zone), _ending(record), _wrote(record))
        for record in records
    ]
    print_columns(rows, ("RUN", "JOB", "WINDOW FROM", "ENDING", "WROTE"))
    warned = {
        record.outcome.warning: record for record in reversed(records) if record.outcome and record.outcome.warning
    }
    for warning, record in reversed(warned.items()):  # of many runs with the same one, the newest
        click.echo(f"{record.run_id}: {printable(warning)}")


def _say_hidden(number: int) -> None:
    if number:
        click.echo(
            f"{count(number, 'run')} found nothing and {'is' if number == 1 else 'are'} not listed; --all lists all.",
            err=True,
        )


def _ending(record: RunRecord) -> str:
    ending = record.outcome.ending.value if record.outcome else "unfinished"
    return f"{ending}, undone" if record.undone else ending


def _wrote(record: RunRecord) -> str:
    outcome = record.outcome
    written = (outcome.written or outcome.paths) if outcome else ()
    return f"{written[0]} and {len(written) - 1} more" if len(written) > 1 else "".join(written)
