"""`memory backfill`. What runs is imported in the worker process: the one that watches stays small."""

import sys
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any

import click

from pipeline.clock import SystemClock, local_day
from pipeline.process.cancellation import CancellationToken
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.date_params import Day
from pipeline.surfaces.cli.terminal.environment import root_of
from pipeline.surfaces.cli.worker import SeriesCommand, context_of, refusals_as_usage, run_supervised, settings_of
from schemas.periods import is_written, read_period
from schemas.run_options import Only, RunOptions

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from pipeline.app.runs import Happening
    from pipeline.backfill.orders import OrdersFolder
    from pipeline.process.context import ProcessContext
    from schemas.run_request import BackfillRequest

_YEARS = range(1971, 3000)  # arithmetic with days and zones ends near the first and the last year there is
_GIVEN = ("first", "last", "only", "parallel", "max_windows", "max_tokens", "resume", "by_itself")
ASK = 64  # the worker's exit code for "ask the user"; no outcome has it


@click.command("backfill")
@click.argument("jobs", metavar="[JOB]...", nargs=-1, shell_complete=options.names_of("jobs"))
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="All jobs, from the first message that there is to now; JOB, --from and --to narrow that down.",
)
@click.option(
    "--from",
    "first",
    type=Day(),
    metavar="DAY",
    help="The first day, such as 2026-02-20, or of a period, such as 2026-W10.",
)
@click.option("--to", "last", type=Day(), metavar="DAY", help="The last day, which is included.")
@click.option(
    "--only",
    type=click.Choice([only.value for only in Only]),
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
@click.option(
    "--max-windows",
    type=click.IntRange(min=1),
    metavar="N",
    help="Stop after N windows, and say how to go on with the others.",
)
@click.option("--resume", metavar="ID", help="Go on with a back-fill that was stopped; its jobs and days are known.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option(
    "--by-itself", is_flag=True, hidden=True, help="Go on with a part of the one that waits; the service runs us so."
)
@click.option(
    "--attended", is_flag=True, hidden=True, help="Stop when the standard input ends; the service runs us so."
)
@click.option("--brief", is_flag=True, hidden=True, help="No line for a run that ended well; `memory init` reads so.")
@options.running
def command(
    jobs: tuple[str, ...],
    workspace: str | None,
    *,
    everything: bool,
    yes: bool,
    as_json: bool,
    **options: Any,  # noqa: ANN401 - what the options declare
) -> int:
    """Run jobs over past days.

    Runs the windows that start on the local days from --from to --to, oldest first; several jobs are interleaved by
    time. With --all these are all days, and all jobs. What has been done is not done again. Before it starts it says
    what it will take, and asks a person when that would cost something, or with --all. When it stops early, it prints
    the command that goes on; the same command again goes on too. `memory undo --backfill ID` takes back all of it.

    Exit codes: 0 done, 1 failed, 3 some failed, 4 waiting for the model, 5 over a budget, 75 another run is at work,
    124 stopped at its deadline, 130 or 143 stopped as asked, 2 wrong use or settings, or no source can be read.
    """
    given, attended = {name: options.pop(name) for name in _GIVEN}, options.pop("attended")
    brief = options.pop("brief")
    given["first"], given["last"] = _days_of(workspace, given["first"], given["last"])
    _refuse_mixed_words(jobs, given, everything=everything)
    from pipeline.backfill.orders import new_backfill_id

    new_id = new_backfill_id(SystemClock().now())
    backfill = BackfillCommand(workspace, as_json, RunOptions(**options), new_id, jobs, given, brief=brief)
    if not yes and sys.stdin.isatty() and sys.stderr.isatty():
        # A worker is in a process group of its own, which may not read the terminal: it looks, and we ask.
        code = run_supervised(backfill.look)
        if code == ASK:
            click.confirm("Go on?", abort=True, err=True)
        elif code:
            return code
        backfill = replace(backfill, estimated=True)
    return run_supervised(backfill.work, attended=attended)


@dataclass(frozen=True)
class BackfillCommand(SeriesCommand):
    """The back-fill in the worker process.

    `given` are the options of the request, and `id` is for a new request. `estimated` means that the user has seen the
    estimate.
    """

    id: str
    jobs: tuple[str, ...]
    given: dict[str, Any]
    estimated: bool = False
    brief: bool = False

    def look(self, safe_point: CancellationToken) -> int:
        """Print the estimate; the exit code says whether to ask."""
        from pipeline.app.runs import estimate_backfill
        from pipeline.surfaces.cli.views.progress import print_estimate

        context = context_of(settings_of(self.workspace), safe_point)
        with refusals_as_usage():
            estimated = estimate_backfill(
                root_of(self.workspace), context, self.options, self._request(), new_limit=self._has_limit
            )
        if estimated:
            print_estimate(estimated, as_json=self.as_json, dry_run=self.options.dry_run)
        return ASK if estimated and estimated.asks else 0

    def work(self, safe_point: CancellationToken) -> int:
        """Run the back-fill; the exit code."""
        from pipeline.app.runs import run_backfill

        def start(root: "Path", context: "ProcessContext") -> "Generator[Happening]":
            request, has_limit = self._request(), self._has_limit
            return run_backfill(root, context, self.options, request, new_limit=has_limit, estimated=self.estimated)

        return self.show(start, context_of(settings_of(self.workspace), safe_point), bar=True, brief=self.brief)

    @property
    def _has_limit(self) -> bool:
        """Whether the limit of tokens was given now."""
        return self.given["max_tokens"] is not None

    def _request(self) -> "BackfillRequest":
        """The request that the options make, or the kept one that is to go on, with the limits that are given now."""
        from schemas.run_request import BackfillRequest

        given = self.given
        limits = {name: given[name] for name in ("parallel", "max_windows", "max_tokens")}
        limits["tokens_left"] = given["max_tokens"]
        if given["by_itself"]:
            return self._orders_folder().waiting()
        if given["resume"]:
            now = {name: value for name, value in limits.items() if value}
            return self._orders_folder().find(given["resume"]).model_copy(update={**now, "waits": False})
        only = Only(given["only"] or Only.ALL)
        return BackfillRequest(
            id=self.id, jobs=self.jobs, first=given["first"], last=given["last"], only=only, **limits
        )

    def _orders_folder(self) -> "OrdersFolder":
        from pipeline.backfill.orders import OrdersFolder
        from pipeline.workspace.files import Workspace

        return OrdersFolder(Workspace(root_of(self.workspace)).state_folder)


def _days_of(workspace: str | None, first: str | None, last: str | None) -> tuple[date | None, date | None]:
    """The first and the last day of the words for them."""
    today = date.min
    if any(words and not is_written(words) for words in (first, last)):  # the day depends on the zone of the settings
        from pipeline.settings.load import load_settings
        from pipeline.surfaces.cli.terminal.environment import environment

        today = local_day(SystemClock().now(), load_settings(root_of(workspace), environment()).timezone)
    return read_period(first, today).first if first else None, read_period(last, today).last if last else None


def _refuse_mixed_words(jobs: tuple[str, ...], given: dict[str, Any], *, everything: bool) -> None:
    """Refuse options that do not go together.

    Raises:
        UsageError: they do not.
    """
    first, last, resume = given["first"], given["last"], given["resume"] or given["by_itself"]
    if resume and (jobs or first or last or given["only"] or everything):
        message = "--resume goes on with the same jobs and days: leave out JOB, --all, --from, --to and --only."
        raise click.UsageError(message)
    for name, value in (("JOB", jobs), ("--from", first), ("--to", last)):
        if not (value or resume or everything):
            message = f"Missing {name}: say which jobs to run, and from which day to which; or --all."
            raise click.UsageError(message)
    if first and last and first > last:
        message = f"--from {first:%Y-%m-%d} is later than --to {last:%Y-%m-%d}."
        raise click.UsageError(message)
    if any(day.year not in _YEARS for day in (first, last) if day):
        message = f"Days lie between the years {_YEARS[0]} and {_YEARS[-1]}."
        raise click.UsageError(message)
