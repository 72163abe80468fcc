"""One run, for `memory runs show`: its inputs, its outcome and the reasons, its changes and their cost."""

from collections.abc import Iterator

import click

from pipeline.clock import spoken
from pipeline.engine.partition import key_in_words
from pipeline.reports.runs import Shown, difference
from pipeline.surfaces.cli.terminal.console import style
from pipeline.surfaces.cli.terminal.format import count, local, printable
from pipeline.workspace.service_files import LOGS
from schemas.outcome import Outcome

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def print_run(shown_record: Shown) -> None:
    """The whole run, for a person."""
    record = shown_record.record
    click.echo(
        f"{record.run_id}  {record.job}  {printable(key_in_words(record.key, record.window, shown_record.zone))}\n"
    )
    for name, line in _lines(shown_record):
        click.echo(f"  {name:<8} {line}")
    for line in _findings(record.outcome):
        click.echo(f"  {line}")
    for change in shown_record.changes:
        click.echo(f"  {change.kind.value:<8} {change.path}: {', '.join(change.identities)}")
    for change in shown_record.changes:
        click.echo()
        for line in difference(change):
            click.echo(style(printable(line), fg=_COLOURS.get(line[:1])))


def _lines(shown_record: Shown) -> Iterator[tuple[str, str]]:
    record, outcome, zone = shown_record.record, shown_record.record.outcome, shown_record.zone
    yield "window", spoken(record.window.start, record.window.end, zone)
    yield "began", f"{local(record.began, zone)}{_took(shown_record)}"
    yield "ending", _ending(shown_record)
    if outcome and outcome.warning:
        yield "why", printable(outcome.warning)
    yield from _inputs(shown_record)
    if outcome and (outcome.asked or outcome.cached):
        yield "model", f"asked {count(outcome.asked, 'question')}, {count(outcome.cached, 'answer')} known before"
    if record.tokens:
        split = f" ({outcome.input_tokens} in, {outcome.output_tokens} out)" if outcome and outcome.input_tokens else ""
        yield "tokens", f"{record.tokens}{split}{f', {shown_record.cost}' if shown_record.cost else ''}"
    keeps = f", for {count(shown_record.keeps, 'day')}" if shown_record.keeps else ""
    kept = f"none: the service keeps those of its own runs, in {LOGS}{keeps}"
    yield "log", shown_record.log or kept


def _took(shown_record: Shown) -> str:
    if shown_record.seconds is None:
        return ""
    return (
        f", took {shown_record.seconds:.1f} s"
        if shown_record.record.ended
        else f", for {shown_record.seconds:.0f} s so far"
    )


def _ending(shown_record: Shown) -> str:
    outcome = shown_record.record.outcome
    if outcome is None:
        return (
            "goes on"
            if shown_record.alive
            else "unfinished: its process was killed; what it had not finished stays due"
        )
    undone = f", undone {local(shown_record.record.undone, shown_record.zone)}" if shown_record.record.undone else ""
    return f"{outcome.ending}{undone}"


def _inputs(shown_record: Shown) -> Iterator[tuple[str, str]]:
    for session, number in shown_record.sessions.items():
        yield "session", f"{printable(session)}, {count(number, 'record')} in the window"
    for file in shown_record.files:
        yield "file", printable(file)
    if shown_record.reads:
        yield "reads", ", ".join(shown_record.reads)


def _findings(outcome: Outcome | None) -> Iterator[str]:
    for reason, number in outcome.skipped.items() if outcome else ():
        yield f"passed over as {reason}: {number}"
    for rejection in outcome.rejected if outcome else ():
        detail = f": {printable(rejection.detail)}" if rejection.detail else ""
        yield f"rejected {rejection.reason}, {rejection.session_id} #{rejection.number}{detail}"
