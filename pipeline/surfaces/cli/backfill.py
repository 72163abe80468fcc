"""`memory backfill`."""

from datetime import date, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from pipeline.clock import local_day
from pipeline.stopping import SafePoint
from pipeline.surfaces.cli import options
from pipeline.surfaces.cli.ordering import Order, refuse_future, supervised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.backfill import Planned
    from pipeline.engine import Engine

_DAY = click.DateTime(["%Y-%m-%d"])
_YEARS = range(1971, 3000)  # arithmetic with days and zones ends near the first and the last year there is


@click.command("backfill")
@click.argument("jobs", metavar="JOB...", nargs=-1, required=True)
@click.option("--from", "first", type=_DAY, required=True, metavar="DAY", help="The first day, such as 2026-02-20.")
@click.option("--to", "last", type=_DAY, required=True, metavar="DAY", help="The last day, which is included.")
@options.running
def command(jobs: tuple[str, ...], first: datetime, last: datetime, **told: Any) -> int:  # noqa: ANN401 - what `options.running` declares
    """Run jobs over past days.

    Runs the windows that start on the local days from --from to --to, oldest first; several jobs are interleaved by
    time. What has been done is not done again, so the same command goes on where an earlier one stopped.
    """
    if first > last:
        message = f"--from {first:%Y-%m-%d} is later than --to {last:%Y-%m-%d}."
        raise click.UsageError(message)
    if first.year not in _YEARS or last.year not in _YEARS:
        message = f"Days lie between the years {_YEARS[0]} and {_YEARS[-1]}."
        raise click.UsageError(message)
    order = Order(**told, bar=True)
    return supervised(partial(_work, order, jobs, (first.date(), last.date())))


def _work(order: Order, jobs: tuple[str, ...], days: tuple[date, date], safe_point: SafePoint) -> int:
    # Imported in the worker, so that the process that watches it stays small.
    from pipeline.surfaces.cli.environment import root_of  # noqa: PLC0415 - see above
    from pipeline.surfaces.cli.working import Series, carry_out  # noqa: PLC0415 - see above

    first, last = map(str, days)
    where = ("--workspace", str(root_of(order.workspace)))
    resume = () if order.dry_run else ("memory", "backfill", *jobs, "--from", first, "--to", last, *where)
    return carry_out(order, Series(partial(_plan, jobs, days), again=True, resume=resume), safe_point)


def _plan(jobs: tuple[str, ...], days: tuple[date, date], engine: "Engine") -> "Sequence[Planned]":
    from pipeline.backfill import in_days  # noqa: PLC0415 - as above
    from pipeline.registry import named  # noqa: PLC0415 - as above

    wanted = named(jobs, engine.jobs)
    refuse_future("--from", days[0], local_day(engine.clock.now(), engine.zone))
    # In the registry's order, whatever the command's: it decides what comes first at the same time.
    return in_days(engine, [job for job in engine.jobs if job in wanted], *days)
