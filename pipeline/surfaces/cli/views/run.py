"""One run, as `memory runs show` tells it: what it read, what it did and why, what it wrote and what that cost."""

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


def print_run(told: Shown) -> None:
    """The whole run, for a person."""
    record = told.record
    click.echo(f"{record.run_id}  {record.job}  {printable(key_in_words(record.key, record.window, told.zone))}\n")
    for name, line in _lines(told):
        click.echo(f"  {name:<8} {line}")
    for line in _findings(record.outcome):
        click.echo(f"  {line}")
    for change in told.changes:
        click.echo(f"  {change.kind.value:<8} {change.path}: {', '.join(change.identities)}")
    for change in told.changes:
        click.echo()
        for line in difference(change):
            click.echo(style(printable(line), fg=_COLOURS.get(line[:1])))


def _lines(told: Shown) -> Iterator[tuple[str, str]]:
    record, outcome, zone = told.record, told.record.outcome, told.zone
    yield "window", spoken(record.window.start, record.window.end, zone)
    yield "began", f"{local(record.began, zone)}{_took(told)}"
    yield "ending", _ending(told)
    if outcome and outcome.warning:
        yield "why", printable(outcome.warning)
    yield from _inputs(told)
    if outcome and (outcome.asked or outcome.cached):
        yield "model", f"asked {count(outcome.asked, 'question')}, {count(outcome.cached, 'answer')} known before"
    if record.tokens:
        split = f" ({outcome.input_tokens} in, {outcome.output_tokens} out)" if outcome and outcome.input_tokens else ""
        yield "tokens", f"{record.tokens}{split}{f', {told.cost}' if told.cost else ''}"
    keeps = f", for {count(told.keeps, 'day')}" if told.keeps else ""
    kept = f"none: the service keeps those of its own runs, in {LOGS}{keeps}"
    yield "log", told.log or kept


def _took(told: Shown) -> str:
    if told.seconds is None:
        return ""
    return f", took {told.seconds:.1f} s" if told.record.ended else f", for {told.seconds:.0f} s so far"


def _ending(told: Shown) -> str:
    outcome = told.record.outcome
    if outcome is None:
        return "goes on" if told.alive else "unfinished: its process was killed; what it had not finished stays due"
    undone = f", undone {local(told.record.undone, told.zone)}" if told.record.undone else ""
    return f"{outcome.ending}{undone}"


def _inputs(told: Shown) -> Iterator[tuple[str, str]]:
    for session, number in told.sessions.items():
        yield "session", f"{printable(session)}, {count(number, 'record')} in the window"
    for file in told.files:
        yield "file", printable(file)
    if told.reads:
        yield "reads", ", ".join(told.reads)


def _findings(outcome: Outcome | None) -> Iterator[str]:
    for reason, number in outcome.skipped.items() if outcome else ():
        yield f"passed over as {reason}: {number}"
    for rejection in outcome.rejected if outcome else ():
        detail = f": {printable(rejection.detail)}" if rejection.detail else ""
        yield f"rejected {rejection.reason}, {rejection.session_id} #{rejection.number}{detail}"
