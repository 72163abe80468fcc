"""`memory show runs`."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Event

import click

from pipeline.clock import spoken
from pipeline.engine.context import Engine
from pipeline.engine.partition import key_in_words
from pipeline.ledger.runs import RunRecord, Runs
from pipeline.reports.runs import listed_run, report_run, run_named
from pipeline.scheduling.registry import jobs_named
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal import streams as output
from pipeline.surfaces.cli.terminal.console import style
from pipeline.surfaces.cli.terminal.format import count, local, print_columns, print_json, printable, to_the_second
from pipeline.surfaces.cli.terminal.workspace import open_for_reading
from pipeline.workspace.layout import short_of
from pipeline.workspace.service_files import LOGS
from schemas.outcome import Ending
from schemas.reports.runs import ShownRun
from schemas.window import Window

SECONDS = 1.0
_AT_ONCE = 200  # runs that may begin between two looks


def pause() -> None:
    """Wait until the next look."""
    Event().wait(SECONDS)


@dataclass(frozen=True)
class Happening:
    """A run that has just begun, or ended."""

    record: RunRecord

    @property
    def name(self) -> str:
        """The name of the happening."""
        return "ended" if self.record.ended else "began"


def follow(runs: Runs, job: str = "", between: Callable[[], None] = pause) -> Iterator[Happening]:
    """The beginnings and ends of runs from now on, and the runs under way; for ever.

    Args:
        runs: the ledger's.
        job: the only job to follow; all without.
        between: waits until the next look.
    """
    reported = {(record.run_id, True) for record in runs.latest(job, _AT_ONCE)[::-1] if record.ended}
    while True:
        for record in runs.latest(job, _AT_ONCE)[::-1]:
            happened = (record.run_id, record.ended is not None)
            if happened not in reported:
                reported.add(happened)
                yield Happening(record)
        between()


def until_ended(
    runs: Runs, run_id: str, alive: Callable[[RunRecord], bool], between: Callable[[], None] = pause
) -> RunRecord | None:
    """The run once it has ended, or its process is gone; `None` when it is not known (any more)."""
    while (record := runs.find(run_id)) and not record.ended and alive(record):
        between()
    return runs.find(run_id)


_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def print_run(run: ShownRun, zone: str, keeps: int) -> None:
    """Print the whole run for a person; logs are kept for so many days, 0 for ever."""
    window = Window(start=run.window.start, end=run.window.end)
    click.echo(f"{run.run_id}  {run.job}  {printable(key_in_words(run.key, window, zone))}\n")
    for name, line in _run_lines(run, zone, keeps):
        click.echo(f"  {name:<8} {line}")
    for line in _findings(run):
        click.echo(f"  {line}")
    for change in run.changes:
        click.echo(f"  {change.kind:<8} {change.path}: {', '.join(change.blocks)}")
    for change in run.changes:
        click.echo()
        for line in change.diff.split("\n") if change.diff else ():
            click.echo(style(printable(line), fg=_COLOURS.get(line[:1])))


def _run_lines(run: ShownRun, zone: str, keeps: int) -> Iterator[tuple[str, str]]:
    yield "window", spoken(run.window.start, run.window.end, zone)
    took = ""
    if run.seconds is not None:
        took = f", took {run.seconds:.1f} s" if run.ended else f", for {run.seconds:.0f} s so far"
    yield "began", f"{local(run.began, zone)}{took}{f', by back-fill {run.backfill}' if run.backfill else ''}"
    unended = "goes on" if run.alive else "unfinished: its process was killed; what it had not finished stays due"
    undone = f", undone {local(run.undone, zone)}" if run.undone else ""
    yield "ending", f"{run.ending}{undone}" if run.ending else unended
    if run.warning:
        yield "why", printable(run.warning)
    yield from _inputs(run)
    if run.asked or run.cached:
        yield "model", f"asked {count(run.asked, 'question')}, {count(run.cached, 'answer')} known before"
    if run.tokens:
        split = f" ({run.input_tokens} in, {run.output_tokens} out)" if run.input_tokens else ""
        yield "tokens", f"{run.tokens}{split}{f', {run.cost}' if run.cost else ''}"
    kept = f", for {count(keeps, 'day')}" if keeps else ""
    yield "log", run.log or f"none: the service keeps those of its own runs, in {LOGS}{kept}"


def _inputs(run: ShownRun) -> Iterator[tuple[str, str]]:
    for session, number in run.sessions.items():
        yield "session", f"{printable(session)}, {count(number, 'record')} in the window"
    for file in run.files:
        yield "file", printable(file)
    if run.reads:
        yield "reads", ", ".join(run.reads)


def _findings(run: ShownRun) -> Iterator[str]:
    if run.suggested:
        yield f"suggested {len(run.suggested)}: {', '.join(suggestion[:8] for suggestion in run.suggested)}"
    yield from map(printable, run.notices)
    for reason, number in run.skipped.items():
        yield f"passed over as {reason}: {number}"
    for rejection in run.rejected:
        detail = f": {printable(rejection.detail)}" if rejection.detail else ""
        yield f"rejected {rejection.reason}, {rejection.session_id} #{rejection.number}{detail}"


_NEWEST = 20
_MOST = 1_000_000
_WHEN = len("2026-02-20 12:00 to 15:00")  # of a window; a day and a week take less
_ENDING = max(map(len, Ending))


@click.command("runs")
@click.option("--job", metavar="JOB", shell_complete=options.names_of("jobs"), help="Only runs of this job.")
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
@options.wide
@options.as_json
@options.workspace
def command(  # noqa: PLR0913 - one for each option
    job: str | None,
    limit: int | None,
    workspace: str | None,
    *,
    everything: bool,
    following: bool,
    wide: bool,
    as_json: bool,
) -> None:
    """List past runs.

    The newest come first, each with its short id, which the commands about runs take. Runs that found nothing are left
    out without --all; --json always has them.
    """
    with open_for_reading(workspace, looking=False) as engine:
        name = jobs_named([job], engine.jobs)[0].name if job else ""
        if following:
            _follow(engine, name, as_json=as_json)
            return
        zone, runs = engine.zone, engine.ledger.runs
        without = None if everything or as_json else Ending.EMPTY
        records = runs.latest(name, limit or (_MOST if everything else _NEWEST), without=without)
        hidden = runs.count(without, name) if without else 0
    if as_json:
        for record in records:
            print_json(listed_run(record))
    elif records or hidden:
        _list(records, zone, wide=wide)
        if hidden:
            why = f"found nothing and {'is' if hidden == 1 else 'are'} not listed; --all lists all."
            click.echo(f"{count(hidden, 'run')} {why}", err=True)
    else:
        click.echo("Nothing has been run yet.")


@click.command("run")
@click.argument("run_id", metavar="ID")
@click.option("--follow", "following", is_flag=True, help="If the run goes on, wait until it ends.")
@options.as_json
@options.workspace
def show_command(run_id: str, workspace: str | None, *, following: bool, as_json: bool) -> None:
    """Show one run: what it read, and what it wrote.

    Also how it ended and why, and what the model took. The short id, or the beginning of ID, is enough when no other
    run has it. What it wrote is shown as the difference that it made then. Its log is there when the service ran it, as
    long as `retention` says.
    """
    with open_for_reading(workspace, looking=False) as engine:
        record = run_named(engine, run_id)
        report = report_run(engine, record)
        if following and report.alive:
            click.echo(f"{report.run_id} of {report.job} goes on ...", err=True)
            ended = until_ended(engine.ledger.runs, report.run_id, lambda record: report_run(engine, record).alive)
            report = report_run(engine, ended or record)
        zone, keeps = engine.zone, engine.settings.retention.days
    print_json(report) if as_json else print_run(report, zone, keeps)


def _follow(engine: Engine, job: str, *, as_json: bool) -> None:
    for happening in follow(engine.ledger.runs, job):
        if as_json:
            print_json({"happening": happening.name} | vars(listed_run(happening.record)))
        else:
            click.echo(_happening_line(happening, engine))
        if output.lost():
            return


def _happening_line(happening: Happening, engine: Engine) -> str:
    """The line of a happening; the names of jobs take the same room, so that the columns stand under each other."""
    record = happening.record
    moment, outcome = record.ended or record.began, record.outcome
    width = max(len(job.name) for job in engine.jobs)
    when = key_in_words(record.key, record.window, engine.zone)
    row = f"{to_the_second(moment, engine.zone)}  {short_of(record.run_id)}  {record.job:<{width}}  {when:<{_WHEN}}"
    if outcome is None:
        return f"{row}  {happening.name}"
    why = f"  {printable(outcome.warning)}" if outcome.warning else ""
    return f"{row}  {_describe_ending(record):<{_ENDING}}  {_first_written(record)}".rstrip() + why


def _list(records: list[RunRecord], zone: str, *, wide: bool) -> None:
    rows = [
        (
            record.run_id if wide else short_of(record.run_id),
            record.job,
            local(record.window.start, zone),
            _describe_ending(record),
            _first_written(record),
        )
        for record in records
    ]
    print_columns(rows, ("RUN", "JOB", "WINDOW FROM", "ENDING", "WROTE"), cutting=not wide)
    warned = {
        record.outcome.warning: record for record in reversed(records) if record.outcome and record.outcome.warning
    }
    for warning, record in reversed(warned.items()):  # of many runs with the same one, the newest
        click.echo(f"{short_of(record.run_id)}: {printable(warning)}")


def _describe_ending(record: RunRecord) -> str:
    ending = record.outcome.ending.value if record.outcome else "unfinished"
    return f"{ending}, undone" if record.undone else ending


def _first_written(record: RunRecord) -> str:
    outcome = record.outcome
    written = (outcome.written or outcome.paths) if outcome else ()
    return f"{written[0]} and {len(written) - 1} more" if len(written) > 1 else "".join(written)
