"""`memory status`."""

import shlex
from calendar import monthrange
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import groupby
from pathlib import Path

import click

from pipeline.app.opening import rebuild_if_possible
from pipeline.app.status import WorkspaceStatus, workspace_status
from pipeline.backfill.orders import resume_words
from pipeline.clock import spoken
from pipeline.doctor.service import SILENT, silence
from pipeline.engine.context import Engine
from pipeline.engine.partition import key_in_words
from pipeline.job import Period
from pipeline.process.context import ProcessContext
from pipeline.reports.grid import Cell, Row, grid, grid_report, last_day_run, shown_days
from pipeline.reports.service import NO_SERVICE, RECENT, ServiceView, reasons_of
from pipeline.reports.status import JobStanding, again_command, backfill_command
from pipeline.reports.suggestions import wait_sentence
from pipeline.settings.load import load_settings
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.console import style
from pipeline.surfaces.cli.terminal.date_params import Day
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.event_printer import emitter
from pipeline.surfaces.cli.terminal.format import clock_time, count, local, print_columns, print_json, printable
from pipeline.surfaces.cli.terminal.workspace import open_for_reading
from pipeline.transcripts.unreadable import advice_on
from pipeline.workspace.layout import short_of
from schemas.periods import read_period
from schemas.reports.said_index import SaidIndexReport
from schemas.reports.status import (
    CaptureReport,
    DetailIndexReport,
    EditsReport,
    IndexReport,
    ShippingStatusReport,
    SourceReport,
)
from schemas.run_request import BackfillRequest
from schemas.service_state import JobState

_LOOKS = {
    Cell.DONE: ("D", "green"),
    Cell.EMPTY: (".", "bright_black"),
    Cell.DEGRADED: ("g", "yellow"),
    Cell.WAITING: ("w", "yellow"),
    Cell.FAILED: ("F", "red"),
    Cell.STALE: ("s", "cyan"),
    Cell.MISSING: ("M", "magenta"),
    Cell.RUNNING: ("R", "blue"),
    Cell.UNKNOWN: ("?", "magenta"),
    Cell.UNDONE: ("u", "bright_black"),
}
"""Letters differ too, so that no cell depends on its colour alone."""
_PLACES = {
    Period.WEEK: "A job of weeks has one letter a week, under its Monday.",
    Period.MONTH: "A job of months has one letter a month, under its first day.",
}
_DAY_NUMBERS = "1   5    10   15   20   25   30"  # each stands above its day
_GAP = 2


GRID_DAYS = 30
"""The number of days that are shown unless a person names another number."""


def show_grid(engine: Engine, days: int, last: date | None, *, as_json: bool) -> None:
    """Print so many days up to `last`: up to today, or where nothing was run for these, to the last day with a run."""
    today = engine.local_now().date()
    first, end = shown_days(engine, days, last)
    rows, rebuilt = grid(engine, days, end), engine.ledger.rebuilds.latest()
    if as_json:
        print_grid_json(rows)
        return
    print_grid(rows, local(rebuilt, engine.zone) if rebuilt else "")
    for line in _about_other_days(engine, first, end, today):
        click.echo(line)


def _about_other_days(engine: Engine, first: date, last: date, today: date) -> Iterator[str]:
    """The sentences about days that are not shown, with the command that shows them."""
    if last < today:
        yield f"These are the days up to {last}; `memory status --grid --to {today}` shows those up to today."
    if before := last_day_run(engine, first):
        yield f"Earlier days were run too, the last of them {before}: `memory status --grid --to {before}` shows it."


def print_grid_json(rows: Sequence[Row]) -> None:
    """Print a line for each job: its days, its ISO weeks or its months, each with how it stands."""
    for row in rows:
        print_json(grid_report(row))


def print_grid(rows: Sequence[Row], rebuilt: str) -> None:
    """Print a block for each month with any known cell, and the legend.

    `rebuilt` is when the ledger was rebuilt from the files, as text; empty when it never was.
    """
    note = f"The ledger was rebuilt on {rebuilt}: of days before, those are done of which the files tell anything."
    lost = [note] if rebuilt else []
    days = sorted({day for row in rows for day in row.cells})
    if not days:
        nothing = "The files tell nothing of these days" if lost else "Nothing was run for these days"
        click.echo("\n".join([f"{nothing}, and nothing is due; `memory backfill` reads earlier ones.", *lost]))
        return
    width = max(len(row.job.name) for row in rows) + _GAP
    for (year, month), _ in groupby(days, key=lambda day: (day.year, day.month)):
        first = date(year, month, 1)
        click.echo(f"{first:%Y-%m}".ljust(width) + _DAY_NUMBERS)
        for row in rows:
            click.echo((row.job.name.ljust(width) + _grid_line(row, first)).rstrip())
        click.echo()
    legend = [f"{style(letter, fg=colour)} {cell}" for cell, (letter, colour) in _LOOKS.items()]
    click.echo(f"{'  '.join(legend)}\nA blank day is not due. Of several windows the gravest is shown.", nl=False)
    periods = {row.period for row in rows}
    click.echo("".join(f" {sentence}" for period, sentence in _PLACES.items() if period in periods))
    for line in lost:
        click.echo(line)


def _grid_line(row: Row, first: date) -> str:
    days = [first + timedelta(number) for number in range(monthrange(first.year, first.month)[1])]
    looks = [_LOOKS[row.cells[day]] if day in row.cells else (" ", None) for day in days]
    while looks and looks[-1][0] == " ":
        looks.pop()
    runs = ((look, len(list(same))) for look, same in groupby(looks))
    return "".join(style(letter * number, fg=colour) if colour else number * letter
                   for (letter, colour), number in runs)  # fmt: skip


_NEVER = "nothing: memory.toml sets no `start`"
_SHOWN = 5


@click.command("status")
@click.option("--grid", "as_grid", is_flag=True, help="Show a letter for each job and day (or week, or month) instead.")
@click.option("--days", type=click.IntRange(1, 3_660), metavar="N", help="With --grid: how many days (30).")
@click.option("--to", "last", type=Day(), metavar="DAY", help="With --grid: the last day (today, or the last run for).")
@options.as_json
@options.workspace
def command(workspace: str | None, *, days: int | None, last: str | None, as_grid: bool, as_json: bool) -> None:
    """Show what is done, what is due, what needs you.

    For each job its last success, when it is looked at next, what is due or waits, and how many sessions of the
    owner gave an entry; then the service, the locks that are held, how fresh the indexes are, how many suggestions wait
    for a person, which entries were changed in their files, and the sources; and whether MEMORY.md is full.
    """
    if (days or last) and not as_grid:
        message = f"{'--days' if days else '--to'} belongs to --grid."
        raise click.UsageError(message)
    if as_grid:
        with open_for_reading(workspace) as engine:
            rebuild_if_possible(engine)
            show_grid(
                engine,
                days or GRID_DAYS,
                read_period(last, engine.local_now().date()).last if last else None,
                as_json=as_json,
            )
        return
    root = root_of(workspace)
    emit = emitter(load_settings(root, environment()).log_level)
    status = workspace_status(root, ProcessContext(environment(), emit=emit))
    if as_json:
        for report in status.reports():
            print_json(report)
    else:
        _show_status(status)


def _show_status(status: WorkspaceStatus) -> None:
    root, zone, service, full = status.root, status.zone, status.service, status.full
    click.echo(f"{root} ({zone})\n")
    print_columns(
        [_job_row(standing, zone) for standing in status.jobs], ("JOB", "LAST SUCCESS", "DUE", "NEXT"), cutting=True
    )
    click.echo()
    for standing in status.jobs:
        name = standing.job.name
        state, capture = service.jobs.get(name, JobState()), status.capture_rates.get(name)
        if lines := [*_job_lines(standing, zone, state, capture)]:
            click.echo("\n".join([name, *(f"  {label:<13} {line}" for label, line in lines)]) + "\n")
    for name, line in _status_rows(status):
        click.echo(f"{name:<9}{printable(line)}")
    click.echo()
    _show_sources(status.sources, zone)
    alarms = [
        (source.source, printable(alarm.sentence), printable(alarm.advice))
        for source in status.sources
        for alarm in source.alarms
    ]
    for name, trouble, advice in (*_unreadable_sources(status.sources, root, zone), *alarms):
        click.echo(f"\n{style('warning', fg='yellow')}  source {name}: {trouble}\n         {advice}")
    for hint in status.hints:
        click.echo(f"\nhint     {printable(hint.sentence)}.\n         {printable(hint.advice)}")
    more = [(silence(job, rate.sessions), SILENT) for job, rate in status.capture_rates.items() if rate.silent]
    more += [(f"{full.sentence}.", full.advice)] if full else []
    for warning, advice in [*more, *status.unread]:
        click.echo(f"\n{style('warning', fg='yellow')}  {warning}\n         {advice}")


def _status_rows(status: WorkspaceStatus) -> Iterator[tuple[str, str]]:
    """The lines below the jobs, each with its name."""
    zone, service = status.zone, status.service
    yield "service", service.error or _describe_service(service)
    if service.missed:
        yield "missed", f"{count(len(service.missed), 'tick')} within {RECENT.days} days: {reasons_of(service.missed)}"
    for lock in status.locks:
        yield "lock", f"{lock.lock} is held by {lock.holder}"
    yield "index", _describe_index(status.index)
    if status.details:
        yield "details", _describe_details(status.details)
    if status.said:
        yield "said", _describe_said(status.said)
    for orders, left in status.stopped:
        yield "backfill", _describe_backfill(orders, left)
    for batch in status.batches:
        asked = count(batch.questions, "question")
        yield "batch", f"{asked} to {batch.model} at its server since {local(batch.sent, zone)}"
    if status.suggestions:
        yield "waits", wait_sentence(status.suggestions)
    if status.edits:
        yield "edits", _describe_edits(status.edits)
    if status.shipping:
        yield "ship", _describe_shipping(status.shipping, zone)


def _describe_shipping(shipping: ShippingStatusReport, zone: str) -> str:
    last = f"last at {local(shipping.last_shipped, zone)}" if shipping.last_shipped else "nothing was sent yet"
    failed = f"; it fails since {local(shipping.failed, zone)}: {shipping.failure}" if shipping.failed else ""
    return f"to {shipping.ship_url}, {last}{failed}"


def _describe_edits(edits: EditsReport) -> str:
    """The changes in files of entries, by what became of them."""
    named = f" ({', '.join(edits.new[:_SHOWN])}{', ...' if len(edits.new) > _SHOWN else ''})"
    parts = {
        f"{count(len(edits.new), 'change')} of a file for the next run to look at{named}": edits.new,
        f"{count(edits.asked, 'change')} of a file in `memory suggestions`": edits.asked,
        f"{count(edits.obeyed, 'change')} of a file obeyed": edits.obeyed,
    }
    return "; ".join(text for text, there in parts.items() if there)


def _job_row(standing: JobStanding, zone: str) -> tuple[str, str, str, str]:
    success = "not known" if standing.rebuilt else "never"
    if last := standing.last_success:
        success = local(last.ended, zone)
    return standing.job.name, success, str(len(standing.due) or "-"), _describe_next_run(standing, zone)


def _job_lines(
    standing: JobStanding, zone: str, state: JobState, capture: CaptureReport | None
) -> Iterator[tuple[str, str]]:
    """The lines about a job that its row has no room for, each with its name."""
    name = standing.job.name
    if standing.rebuilt and not standing.last_success:
        yield "last success", f"not known; the ledger was rebuilt on {local(standing.rebuilt, zone)}"
    if standing.due:
        yield "due", f"{count(len(standing.due), 'window')}, the oldest of {local(standing.due[0].start, zone)}"
    if state.parked:
        failed = f"since {local(state.parked.since, zone)}, after {count(state.parked.failures, 'failure')}"
        yield "parked", f"{failed}: {printable(state.parked.reason)}"
        yield "", f"Mend that, then `memory run {name}`; once it ends well, the service goes on."
    if capture and capture.sessions:
        of = count(capture.sessions, "session")
        yield "captured", f"{capture.captured} of {of} within {capture.days} days gave an entry"
    yield from _job_trouble(standing, zone)


def _job_trouble(standing: JobStanding, zone: str) -> Iterator[tuple[str, str]]:
    if standing.at_work:
        yield "at work", standing.at_work
    for record in standing.troubled[:_SHOWN]:
        outcome, when = record.outcome, key_in_words(record.key, record.window, zone)
        again = shlex.join(again_command(standing, record.window, zone))
        yield outcome.ending if outcome else "", f"{when}: {printable(outcome.warning if outcome else '')}"
        yield "", f"`memory show run {short_of(record.run_id)}` tells more; `{again}` runs it again"
    if len(standing.troubled) > _SHOWN:
        yield "...", f"and {len(standing.troubled) - _SHOWN} more; see `memory show runs --job {standing.job.name}`"
    if (warned := standing.warned) and warned.outcome:
        yield "warning", f"{local(warned.began, zone)}: {printable(warned.outcome.warning)}"
    if standing.unknown:
        yield "unknown", "the ledger was lost, and some time may not have been done; to be sure:"
        yield "", shlex.join(backfill_command(standing.job.name, standing.unknown, zone))


def _show_sources(sources: Sequence[SourceReport], zone: str) -> None:
    rows = [(source.source, str(source.sessions), local(source.first, zone), local(source.last, zone), source.path)
            for source in sources]  # fmt: skip
    print_columns(rows, ("SOURCE", "SESSIONS", "FIRST", "LAST", "PATH"))
    if not sources:
        click.echo("No sources are named in memory.toml.")


def _unreadable_sources(sources: Sequence[SourceReport], root: Path, zone: str) -> Iterator[tuple[str, str, str]]:
    """The unreadable sources: the source, the number of files, since when, the reason and the advice."""
    for source in sources:
        if trouble := source.unreadable:
            advice = advice_on(trouble, root / Path(source.path).expanduser())
            yield source.source, printable(trouble.sentence(local(trouble.since, zone))), printable(advice)


def _describe_next_run(standing: JobStanding, zone: str) -> str:
    coming = standing.upcoming
    if coming is None:
        return _NEVER if standing.job.clock else standing.job.when
    window = coming.window
    if standing.job.period is not Period.TICK:
        return f"{coming.key}, from {local(coming.run_from, zone)}"
    return f"{spoken(window.start, window.end, zone)}, from {clock_time(coming.run_from, zone)}"


def _describe_service(service: ServiceView) -> str:
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


def _describe_index(index: IndexReport) -> str:
    if index.error:
        return index.error
    if index.changed is None:
        return "there is none yet; a first search makes it"
    return f"{count(index.changed, 'file')} changed since; the next search follows" if index.changed else "up to date"


def _describe_details(index: DetailIndexReport) -> str:
    if index.error:
        return index.error
    waiting = f", {index.waiting} not in the index yet; `memory doctor reindex` takes them in" if index.waiting else ""
    return f"{count(index.stored or 0, 'text')} stored{waiting}"


def _describe_said(index: SaidIndexReport) -> str:
    owed = (
        f"; words of messages that are gone stand in its files yet; `{index.erase}` erases them" if index.owed else ""
    )
    follows = "; `memory doctor reindex` does it" if index.behind else ""
    return f"{index.sentence}{follows}{owed}"


def _describe_backfill(orders: BackfillRequest, left: int) -> str:
    first, last = orders.first or "the first message", orders.last or "now"
    of = f"{', '.join(orders.jobs) or 'all jobs'} from {first} to {last}"
    by_itself = ", waits, and goes on by itself while `memory serve` runs" if orders.waits else ""
    return f"{of} was stopped, {count(left, 'window')} left{by_itself}; `{shlex.join(resume_words(orders))}` goes on"
