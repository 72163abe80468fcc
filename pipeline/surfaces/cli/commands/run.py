"""`memory run` and `memory run facts`. The worker process imports what runs: the watching one stays small."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from pipeline.errors import PipelineError
from pipeline.process.cancellation import CancellationToken
from pipeline.service.monitoring.run_pings import PingReport, RunPings
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.date_params import Day, Moment
from pipeline.surfaces.cli.worker import SeriesCommand, context_of, run_supervised, settings_of
from schemas.run_options import RunOptions

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.events import Emit
    from schemas.outcome import Outcome
    from schemas.settings import Settings


@click.command("run")
@click.argument("job", required=False, shell_complete=options.names_of("jobs"))
@click.option("--at", type=Moment(), metavar="TIME", help="Only the window of this time; nothing after it is seen.")
@click.option(
    "--attended", is_flag=True, hidden=True, help="Stop when the standard input ends; the service runs us so."
)
@options.running
def command(
    job: str | None,
    at: datetime | None,
    workspace: str | None,
    *,
    attended: bool,
    as_json: bool,
    **how: Any,  # noqa: ANN401 - what `options.running` declares
) -> int:
    """Run what is due.

    Without JOB every job; with it that job and what it depends on. The oldest window comes first. With --at and without
    JOB, the jobs that deal with days and weeks are left out.

    Exit codes: 0 done or nothing due, 1 failed, 3 some failed, 4 waiting for the model, 5 over the model's budget,
    75 another run is at work, 124 stopped at its deadline, 130 or 143 stopped as asked, 2 wrong use or settings.
    """
    run = RunCommand(workspace, as_json, RunOptions(**how), job or "", at)
    # The service reports its own runs. A run that a person tries out is no evidence that due windows are run.
    if attended or run.options.dry_run or at:
        return run_supervised(run.work, attended=attended)

    def emitter(level: str) -> "Emit":
        from pipeline.surfaces.cli.terminal.event_printer import emitter

        return emitter(level)

    pings = RunPings(run.job, emitter)
    return pings.run_and_ping(
        lambda: run_supervised(lambda safe_point: run.run_and_report(pings.report, safe_point), observer=pings)
    )


@dataclass(frozen=True)
class RunCommand(SeriesCommand):
    """The work of `memory run` in the worker process."""

    job: str
    at: datetime | None

    def work(
        self,
        safe_point: CancellationToken,
        report: "Callable[[Outcome], None] | None" = None,
        settings: "Settings | None" = None,
    ) -> int:
        """Run what is due and print its events; the exit code. `report` gets the outcome of each run.

        `settings` are those in force, where they were read already.
        """
        from pipeline.app.runs import run_due

        known = settings or settings_of(self.workspace)
        return self.show(
            lambda root, context: run_due(root, context, self.options, self.job, self.at, known),
            context_of(known, safe_point),
            report=report,
        )

    def run_and_report(self, ping: PingReport, safe_point: CancellationToken) -> int:
        """Run what is due, send the result to the supervisor, which calls the check, and write the file of metrics."""
        from pipeline.surfaces.cli.terminal.environment import root_of
        from pipeline.surfaces.cli.views.progress import outcome_line

        def report(outcome: "Outcome") -> None:
            # Of runs that held nothing there are thousands.
            if not outcome.is_silent:
                ping.sentence(outcome_line(outcome, settings.timezone))

        try:
            settings = settings_of(self.workspace)
            ping.configure(settings)
            if not settings.service.metrics_file:
                return self.work(safe_point, report, settings)
            from pipeline.service.monitoring.metrics_file import writing_metrics

            with writing_metrics(root_of(self.workspace), context_of(settings, safe_point)):
                return self.work(safe_point, report, settings)
        except PipelineError as error:
            ping.sentence(str(error))
            raise


@click.command("facts")
@click.option("--since", type=Day(), metavar="DAY", help="Only what is due of this day and later ones.")
@options.running
def facts_command(
    since: str | None,
    workspace: str | None,
    *,
    as_json: bool,
    **how: Any,  # noqa: ANN401 - what `options.running` declares
) -> int:
    """Run what is due of the jobs of facts.

    These are `retain`, which reads each day for facts, and `reflect`, `entity_pages` and `articles`, which render the
    bank, the pages of entities and the articles. The pages are made of all facts, also with --since. Days before
    `start` are read by `memory backfill`, and the jobs of entries are left alone.

    Exit codes: 0 done or nothing due, 1 failed, 3 some failed, 4 waiting for the model, 5 over the model's budget,
    75 another run is at work, 124 stopped at its deadline, 130 or 143 stopped as asked, 2 wrong use or settings.
    """
    series = SeriesCommand(workspace, as_json, RunOptions(**how))

    def work(safe_point: CancellationToken) -> int:
        from pipeline.app.runs import run_facts

        settings = settings_of(workspace)
        return series.show(
            lambda root, context: run_facts(root, context, series.options, since, settings),
            context_of(settings, safe_point),
        )

    return run_supervised(work)
