"""One run, for `memory runs show`: its inputs, its outcome and the reasons, its changes and their cost."""

from collections.abc import Iterator

import click

from pipeline.clock import spoken
from pipeline.engine.partition import key_in_words
from pipeline.surfaces.cli.terminal.console import style
from pipeline.surfaces.cli.terminal.format import count, local, printable
from pipeline.workspace.service_files import LOGS
from schemas.reports.runs import ShownRun
from schemas.window import Window

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def print_run(run: ShownRun, zone: str, keeps: int) -> None:
    """The whole run, for a person; logs are kept for so many days, 0 for ever."""
    window = Window(start=run.window.start, end=run.window.end)
    click.echo(f"{run.run_id}  {run.job}  {printable(key_in_words(run.key, window, zone))}\n")
    for name, line in _lines(run, zone, keeps):
        click.echo(f"  {name:<8} {line}")
    for line in _findings(run):
        click.echo(f"  {line}")
    for change in run.changes:
        click.echo(f"  {change.kind:<8} {change.path}: {', '.join(change.blocks)}")
    for change in run.changes:
        click.echo()
        for line in change.diff.split("\n") if change.diff else ():
            click.echo(style(printable(line), fg=_COLOURS.get(line[:1])))


def _lines(run: ShownRun, zone: str, keeps: int) -> Iterator[tuple[str, str]]:
    yield "window", spoken(run.window.start, run.window.end, zone)
    yield "began", f"{local(run.began, zone)}{_took(run)}{f', by back-fill {run.backfill}' if run.backfill else ''}"
    yield "ending", _ending(run, zone)
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


def _took(run: ShownRun) -> str:
    if run.seconds is None:
        return ""
    return f", took {run.seconds:.1f} s" if run.ended else f", for {run.seconds:.0f} s so far"


def _ending(run: ShownRun, zone: str) -> str:
    if run.ending is None:
        return "goes on" if run.alive else "unfinished: its process was killed; what it had not finished stays due"
    return f"{run.ending}{f', undone {local(run.undone, zone)}' if run.undone else ''}"


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
