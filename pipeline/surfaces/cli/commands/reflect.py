"""`memory reflect`."""

from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import click

from pipeline.process.cancellation import CancellationToken
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.date_params import DayOrAgo
from pipeline.surfaces.cli.worker import context_of, refusals_as_usage, run_supervised
from schemas.run_options import RunOptions


@click.command("reflect")
@click.option("--since", type=DayOrAgo(), metavar="DAY|7d", help="Only what is due of this day and later ones.")
@options.running
def command(
    since: datetime | timedelta | None,
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
    return run_supervised(ReflectCommand(since, workspace, as_json=as_json, options=RunOptions(**how)).work)


@dataclass(frozen=True)
class ReflectCommand:
    """The work of `memory reflect` in the worker process. It imports there: the process that watches it stays small."""

    since: datetime | timedelta | None
    workspace: str | None
    as_json: bool
    options: RunOptions

    def work(self, safe_point: CancellationToken) -> int:
        """Run the jobs and print their events; the exit code."""
        from pipeline.app.runs import run_facts  # noqa: PLC0415 - see above
        from pipeline.surfaces.cli.terminal.environment import root_of  # noqa: PLC0415 - see above
        from pipeline.surfaces.cli.views.progress import SeriesView  # noqa: PLC0415 - see above

        since = self.since.date() if isinstance(self.since, datetime) else self.since
        root, context = root_of(self.workspace), context_of(self.workspace, safe_point)
        with (
            refusals_as_usage(),
            closing(run_facts(root, context, self.options, since)) as happenings,
            SeriesView(as_json=self.as_json, bar=False, dry_run=self.options.dry_run) as view,
        ):
            for happening in happenings:
                view.show(happening)
        return view.code
