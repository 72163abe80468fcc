"""`memory backfill`."""

import secrets
import sys
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial
from typing import Any

import click

from pipeline.clock import SystemClock
from pipeline.process.cancellation import SafePoint
from pipeline.surfaces.cli.ordering import Order, supervised
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.date_params import Day

_YEARS = range(1971, 3000)  # arithmetic with days and zones ends near the first and the last year there is
ONLY = ("missing", "failed", "stale", "all")
_ID_BYTES = 3
ASK = 64  # how a worker says that a person is to be asked; no outcome has this exit code


@dataclass(frozen=True)
class Wanted:
    """A back-fill as the command line has it: what to run, or the id of one to `resume`. `days` are inside.

    `told` says that a person has seen what it will take.
    """

    id: str
    jobs: tuple[str, ...]
    days: tuple[date, date] | None
    only: str
    parallel: int | None
    max_tokens: int | None
    resume: bool
    told: bool = False


@click.command("backfill")
@click.argument("jobs", metavar="JOB...", nargs=-1)
@click.option("--from", "first", type=Day(), metavar="DAY", help="The first day, such as 2026-02-20.")
@click.option("--to", "last", type=Day(), metavar="DAY", help="The last day, which is included.")
@click.option(
    "--only",
    type=click.Choice(ONLY),
    help="Of the windows that still have to run: those never run to an end (missing), those whose newest run did not "
    "end well or was stopped (failed), those with messages their run did not see (stale), or all of them, which is the "
    "default.",
)
@click.option(
    "--parallel",
    type=click.IntRange(1, 128),
    metavar="N",
    help="How many questions the model is asked at once, and fewer while it is too busy; else model.parallel.",
)
@click.option(
    "--max-tokens", type=click.IntRange(min=1), metavar="N", help="Stop before more than N tokens are used, in and out."
)
@click.option("--resume", metavar="ID", help="Go on with a back-fill that was stopped; its jobs and days are known.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@options.running
def command(jobs: tuple[str, ...], *, yes: bool, **told: Any) -> int:  # noqa: ANN401 - what the options declare
    """Run jobs over past days.

    Runs the windows that start on the local days from --from to --to, oldest first; several jobs are interleaved by
    time. What has been done is not done again. Before it starts it says what it will take, and asks a person when that
    would cost something. When it stops early, it prints the command that goes on.

    Exit codes: 0 done, 1 failed, 3 some failed, 4 waiting for the model, 5 over a budget, 75 another run is at work,
    124 stopped at its deadline, 130 or 143 stopped as asked, 2 wrong use or settings.
    """
    wanted = _wanted(jobs, told)
    order = Order(**told, bar=True)
    if not yes and sys.stdin.isatty() and sys.stderr.isatty():
        # A worker is in a process group of its own, which may not read the terminal: it looks, and we ask.
        code = supervised(partial(_look, order, wanted))
        if code == ASK:
            click.confirm("Go on?", abort=True, err=True)
        elif code:
            return code
        wanted = replace(wanted, told=True)
    return supervised(partial(_work, order, wanted))


def _wanted(jobs: tuple[str, ...], told: dict[str, Any]) -> Wanted:
    """What is wanted, taken out of what was `told`.

    Raises:
        UsageError: the words do not go together.
    """
    first, last, only, resume = (told.pop(name) for name in ("first", "last", "only", "resume"))
    ways = {"parallel": told.pop("parallel"), "max_tokens": told.pop("max_tokens")}
    if resume:
        if jobs or first or last or only:
            message = "--resume goes on with the same jobs and days: leave out JOB, --from, --to and --only."
            raise click.UsageError(message)
        return Wanted(resume, (), None, "", resume=True, **ways)
    for name, given in (("JOB", jobs), ("--from", first), ("--to", last)):
        if not given:
            message = f"Missing {name}: say which jobs to run, and from which day to which."
            raise click.UsageError(message)
    days = _days(first, last)
    backfill_id = f"{SystemClock().now():%Y%m%d}-{secrets.token_hex(_ID_BYTES)}"
    return Wanted(backfill_id, jobs, days, only or ONLY[-1], resume=False, **ways)


def _days(first: datetime, last: datetime) -> tuple[date, date]:
    if first > last:
        message = f"--from {first:%Y-%m-%d} is later than --to {last:%Y-%m-%d}."
        raise click.UsageError(message)
    if first.year not in _YEARS or last.year not in _YEARS:
        message = f"Days lie between the years {_YEARS[0]} and {_YEARS[-1]}."
        raise click.UsageError(message)
    return first.date(), last.date()


def _look(order: Order, wanted: Wanted, safe_point: SafePoint) -> int:
    # Imported in the worker, so that the process that watches it stays small.
    from pipeline.surfaces.cli.backfilling import Backfilling  # noqa: PLC0415 - see above

    return ASK if Backfilling(order, wanted).look(safe_point) else 0


def _work(order: Order, wanted: Wanted, safe_point: SafePoint) -> int:
    from pipeline.surfaces.cli.backfilling import Backfilling  # noqa: PLC0415 - as above

    return Backfilling(order, wanted).carry_out(safe_point)
