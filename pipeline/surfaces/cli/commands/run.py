"""`memory run`."""

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from pipeline.errors import PipelineError
from pipeline.process.cancellation import SafePoint
from pipeline.surfaces.cli.announcing import Announcer
from pipeline.surfaces.cli.ordering import Order, refuse_future, supervised
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.date_params import Moment

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from pipeline.backfill.plan import Planned
    from pipeline.engine.context import Engine
    from schemas.outcome import Outcome


@click.command("run")
@click.argument("job", required=False)
@click.option("--at", type=Moment(), metavar="TIME", help="Only the window of this time; nothing after it is seen.")
@click.option(
    "--attended", is_flag=True, hidden=True, help="Stop when the standard input ends; the service runs us so."
)
@options.running
def command(job: str | None, at: "datetime | None", *, attended: bool, **told: Any) -> int:  # noqa: ANN401 - what `options.running` declares
    """Run what is due.

    Without JOB every job; with it that job and what it depends on. The oldest window comes first. With --at and without
    JOB, the jobs that deal with days and weeks are left out.

    Exit codes: 0 done or nothing due, 1 failed, 3 some failed, 4 waiting for the model, 5 over the model's budget,
    75 another run is at work, 124 stopped at its deadline, 130 or 143 stopped as asked, 2 wrong use or settings.
    """
    order = Order(**told, bar=False)
    # The service tells of its own runs. What a person tries out says nothing about whether what is due gets done.
    if attended or order.dry_run or at:
        return supervised(partial(_work, order, job, at), attended=attended)
    announcer = Announcer(job)
    work = partial(_announced, announcer, order, job)
    return announcer.around(partial(supervised, work, onlooker=announcer))


def _announced(announcer: Announcer, order: Order, job: str | None, safe_point: SafePoint) -> int:
    from pipeline.settings.load import load_settings  # noqa: PLC0415 - as below
    from pipeline.surfaces.cli.terminal.environment import environment, root_of  # noqa: PLC0415 - as below

    report = announcer.report
    try:
        report.configure(load_settings(root_of(order.workspace), environment()))
        return _work(order, job, None, safe_point, report.outcome)
    except PipelineError as error:
        report.sentence(str(error))
        raise


def _work(
    order: Order,
    job: str | None,
    at: "datetime | None",
    safe_point: SafePoint,
    each: "Callable[[Outcome], None]" = lambda _outcome: None,
) -> int:
    # Imported in the worker, so that the process that watches it stays small.
    from pipeline.surfaces.cli.working import Series, carry_out  # noqa: PLC0415 - see above

    return carry_out(order, Series(partial(_plan, job, at), again=at is not None, each=each), safe_point)


def _plan(job: str | None, at: "datetime | None", engine: "Engine") -> "Sequence[Planned]":
    from pipeline.backfill import plan as backfill  # noqa: PLC0415 - as above
    from pipeline.job import Period  # noqa: PLC0415 - as above
    from pipeline.scheduling.registry import named, with_upstream  # noqa: PLC0415 - as above

    wanted = named([job] if job else [], engine.jobs)
    if at is None:
        return backfill.due_now(engine, with_upstream(wanted, engine.jobs))
    moment = at if at.tzinfo else at.replace(tzinfo=engine.local_now().tzinfo)
    refuse_future("--at", moment, engine.clock.now())
    # A day or a week that has not ended is cut off only for a person who says so.
    whole = [each for each in wanted if job or each.period is Period.TICK]
    return backfill.at(engine, whole, moment)
