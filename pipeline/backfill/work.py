"""The work of a series of runs, told as events."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from pipeline.backfill.estimate import TimeLeft
from pipeline.backfill.plan import IsOver, Planned, work_through
from pipeline.backfill.series import Begun, Finished, Progress, RunEnded
from pipeline.clock import local_day
from pipeline.engine.context import Engine
from pipeline.engine.runner import Runner
from pipeline.events import Event
from schemas.outcome import Ending
from schemas.window import Window

_MOMENT = timedelta(microseconds=1)


class Assistant(Protocol):
    """Runs beside a series, such as a prefetch."""

    @property
    def engine(self) -> Engine:
        """The engine to run the partitions on."""

    @property
    def tokens(self) -> int:
        """The tokens of the model's answers so far, in and out."""

    def before(self, place: int, is_over: IsOver) -> None:
        """A partition is about to be run; see `pipeline.backfill.plan.work_through`."""


@dataclass(frozen=True)
class NoPrefetch:
    """Asks nothing ahead."""

    engine: Engine
    tokens: int = 0

    def before(self, place: int, is_over: IsOver) -> None:
        """Do nothing."""


def run_series(
    assistant: Assistant, planned: Sequence[Planned], *, again: bool, wait_seconds: float
) -> Iterator[Begun | RunEnded | Progress | Finished]:
    """Run partitions, of which there is at least one, in their order."""
    engine, endings, time_left = assistant.engine, list[Ending](), TimeLeft(len(planned))
    names, windows = frozenset(item.job.name for item in planned), [item.window for item in planned if item.job.clock]
    days = days_between(windows, engine.zone) if windows else 0
    yield Begun(len(planned), names, engine.zone, engine.backfill, days)
    try:
        for outcome in work_through(
            Runner(engine), planned, again=again, wait_seconds=wait_seconds, before=assistant.before
        ):
            endings.append(outcome.ending)
            yield RunEnded(outcome, assistant.tokens)
            if progress := time_left.note():
                engine.emit(Event.SERIES_PROGRESSED, **vars(progress), backfill=engine.backfill)
                yield progress
    finally:
        engine.emit(Event.SERIES_ENDED, endings=dict(Counter(endings)))
    yield Finished(tuple(endings))


def days_between(windows: Sequence[Window], zone: str) -> int:
    """The local days from the first of some windows to the last, both inside."""
    first, last = min(window.start for window in windows), max(window.end for window in windows)
    return (local_day(last - _MOMENT, zone) - local_day(first, zone)).days + 1
