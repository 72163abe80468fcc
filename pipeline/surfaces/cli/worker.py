"""The worker process of `run`, `reflect` and `backfill`: its supervisor, its context, and the series that it runs."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from pipeline.errors import RequestRefused
from pipeline.process.cancellation import CancellationToken
from pipeline.process.supervisor import WorkerObserver, supervise
from pipeline.surfaces.cli.terminal.error_handler import run_guarded
from schemas.run_options import RunOptions

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from pipeline.app.runs import Happening
    from pipeline.process.context import ProcessContext
    from schemas.outcome import Outcome
    from schemas.settings import Settings

_OPTIONS: Mapping[str, str] = {"first": "--from", "moment": "--at", "since": "--since", "max_tokens": "--max-tokens"}
"""The fields of a request as the command line calls them."""


def run_supervised(
    work: Callable[[CancellationToken], int], *, attended: bool = False, observer: WorkerObserver | None = None
) -> int:
    """Run `work` in a worker process that reports its own errors; the exit code.

    With `attended` the work ends when the standard input closes, which the parent holds open while it lives. `observer`
    is called in this process when the worker begins a step or sends a message.

    A program with threads, which may not fork, calls the command with a stand-in for `supervise` as click's `obj`.
    """
    lifeline = sys.stdin.fileno() if attended and sys.stdin else None

    def reporting(safe_point: CancellationToken) -> int:
        # An attending service reads the log of failed work; a log that cannot be written says nothing about the work.
        return run_guarded(lambda: work(safe_point), into_log=attended)

    context = click.get_current_context(silent=True)
    start = context.obj if context and context.obj else supervise
    code: int = start(reporting, lifeline=lifeline, observer=observer)
    return code


def settings_of(workspace: str | None) -> "Settings":
    """The settings in force."""
    from pipeline.settings.load import load_settings
    from pipeline.surfaces.cli.terminal.environment import environment, root_of

    return load_settings(root_of(workspace), environment())


def context_of(settings: "Settings", safe_point: CancellationToken) -> "ProcessContext":
    """The context of the worker."""
    # Imported in the worker, so that the process that watches it stays small.
    from pipeline.process.context import ProcessContext
    from pipeline.surfaces.cli.terminal.environment import environment
    from pipeline.surfaces.cli.terminal.event_printer import emitter

    return ProcessContext(environment(), emit=emitter(settings.log_level), safe_point=safe_point)


@dataclass(frozen=True)
class SeriesCommand:
    """A command that runs a series in a worker process. It imports there: the process that watches it stays small."""

    workspace: str | None
    as_json: bool
    options: RunOptions

    def show(
        self,
        start: "Callable[[Path, ProcessContext], Generator[Happening]]",
        context: "ProcessContext",
        *,
        bar: bool = False,
        brief: bool = False,
        report: "Callable[[Outcome], None] | None" = None,
    ) -> int:
        """Start a series and print its events; the exit code. `report` gets the outcome of each run."""
        from pipeline.backfill.series import RunEnded
        from pipeline.surfaces.cli.terminal.environment import root_of
        from pipeline.surfaces.cli.views.progress import SeriesView

        with (
            refusals_as_usage(),
            closing(start(root_of(self.workspace), context)) as happenings,
            SeriesView(as_json=self.as_json, bar=bar, dry_run=self.options.dry_run, brief=brief) as view,
        ):
            for happening in happenings:
                view.show(happening)
                if report and isinstance(happening, RunEnded):
                    report(happening.outcome)
        return view.code


@contextmanager
def refusals_as_usage() -> Iterator[None]:
    """Report a refused request as wrong use of the command.

    Raises:
        UsageError: with the options as the command line calls them.
    """
    try:
        yield
    except RequestRefused as error:
        message = error.sentence_for(_OPTIONS.get(error.field, error.field))
        raise click.UsageError(message, click.get_current_context(silent=True)) from error
