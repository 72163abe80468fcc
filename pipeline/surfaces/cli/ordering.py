"""What a person asked for with `run` or `backfill`, before anything of the engine is imported."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime

import click

from pipeline.process.cancellation import SafePoint
from pipeline.process.supervisor import Onlooker, supervise
from pipeline.surfaces.cli.terminal.error_handler import guarded


@dataclass(frozen=True)
class Order:
    """The options that both commands have. `bar` asks for a progress bar, for a person on a terminal."""

    workspace: str | None
    dry_run: bool
    wait: float
    allow_shrink: bool
    take_over: bool
    as_json: bool
    bar: bool


def refuse_future(option: str, told: date | datetime, now: date | datetime) -> None:
    """Only past time can be run.

    Raises:
        UsageError: what was told is later than `now`.
    """
    if told > now:
        message = f"{option} {told.isoformat()} has not come yet."
        raise click.UsageError(message, click.get_current_context(silent=True))


def supervised(work: Callable[[SafePoint], int], *, attended: bool = False, onlooker: Onlooker | None = None) -> int:
    """Run `work` in a worker process that reports its own errors; the exit code.

    With `attended` the work ends when the standard input does, which whoever started us holds open while it lives.
    `onlooker` is told in this process what the worker does.

    Raises:
        Overdue: it took longer than it may.
    """
    lifeline = sys.stdin.fileno() if attended and sys.stdin else None

    def told(safe_point: SafePoint) -> int:
        # Who attends to us reads the log when the work has failed; that there is none says nothing about the work.
        return guarded(lambda: work(safe_point), into_log=attended)

    return supervise(told, lifeline=lifeline, onlooker=onlooker)
