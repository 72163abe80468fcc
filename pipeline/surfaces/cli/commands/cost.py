"""`memory show cost`."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import click

from pipeline.clock import day_start
from pipeline.engine.context import Engine
from pipeline.reports.cost import Grouping, cost_report
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.date_params import Day
from pipeline.surfaces.cli.terminal.format import count, local, print_columns, print_json
from pipeline.surfaces.cli.terminal.workspace import open_for_reading
from schemas.periods import read_period
from schemas.reports.cost import CostReport
from schemas.settings import ModelSettings

_DAYS = 30
_UNKNOWN = "not known"


@click.command("cost")
@click.option("--from", "first", type=Day(), metavar="DAY", help=f"The first day; {_DAYS} days ago without it.")
@click.option("--to", "last", type=Day(), metavar="DAY", help="The last day; today without it.")
@click.option(
    "--by",
    type=click.Choice([grouping.value for grouping in Grouping]),
    default=Grouping.JOB.value,
    show_default=True,
    help="What a line is about.",
)
@options.as_json
@options.workspace
def command(first: str | None, last: str | None, by: str, workspace: str | None, *, as_json: bool) -> None:
    """Show what the model cost, and what is due would cost.

    Tokens are the server's own count. Of those in, `known` is the share that the server still knew from an earlier
    question, and sells cheaper. The prices are those of the settings; without any, those that the package
    `genai-prices` published for the server and the model, in USD. The cost of a run is shared equally by the entries
    that it wrote.
    """
    with open_for_reading(workspace) as engine:
        report = cost_report(engine, *_span(engine, first, last), Grouping(by))
        zone, model = engine.zone, engine.settings.model
    if as_json:
        print_json(report)
        return
    _print_spent(report, zone)
    for sentence in _sentences(report, model):
        click.echo(sentence)


def _span(engine: Engine, first: str | None, last: str | None) -> tuple[datetime, datetime]:
    """From the midnight that begins the first day to the one that ends the last."""
    today = engine.local_now().date()
    begin = read_period(first, today).first if first else today - timedelta(days=_DAYS)
    end = (read_period(last, today).last if last else today) + timedelta(days=1)
    if end <= begin:
        message = f"the last day, {end - timedelta(days=1)}, is before the first, {begin}"
        raise click.BadParameter(message, param_hint="'--to'")
    return day_start(begin, engine.zone), day_start(end, engine.zone)


def _print_spent(report: CostReport, zone: str) -> None:
    days = f"{local(report.since, zone)[:10]} to {local(report.until - timedelta(microseconds=1), zone)[:10]}"
    if not report.lines:
        click.echo(f"No model was asked from {days}.")
        return
    if report.by == Grouping.ENTRY.value:
        print_columns([(line.name, _money(line.cost, report)) for line in report.lines], ("ENTRY", "COST"))
    else:
        rows = []
        for line in (*report.lines, report.total):
            usage = line.usage
            share = usage.cached_tokens / usage.input_tokens if usage.input_tokens else 0
            numbers = map(str, (usage.asked, usage.cached, usage.input_tokens, f"{share:.0%}", usage.output_tokens))
            rows.append((line.name or "not noted", *numbers, _money(line.cost, report), f"{line.entries}"))
        print_columns(rows, (report.by.upper(), "ASKED", "ANSWERED BEFORE", "IN", "KNOWN", "OUT", "COST", "ENTRIES"))
    click.echo(f"{days}: {_money(report.total.cost, report)}", nl=False)
    click.echo(f", {_money(report.per_entry, report)} an entry." if report.per_entry is not None else ".")


def _money(amount: float | None, report: CostReport) -> str:
    return _UNKNOWN if amount is None else f"{amount:.4f} {report.currency}"


def _sentences(report: CostReport, model: ModelSettings) -> Iterator[str]:
    due = report.due
    if model.program:
        yield f"Questions to {model.program} are paid as its login is: by subscription, or by a key that you gave it."
    if not model.is_configured:
        yield "No model is set, so the jobs work offline: no question is asked, and nothing is paid."
    elif due.windows:
        price = f", {due.cost:.4f}" if due.cost is not None else ""
        yield (
            f"Due now: {count(due.windows, 'window')}, at least {count(due.questions, 'question')}: "
            f"{due.input_tokens} tokens in (counted), about {due.output_tokens} out{price}."
        )
    for limit in report.limits:
        yield f"{limit.setting}: {limit.used} of {limit.limit} tokens are used."
