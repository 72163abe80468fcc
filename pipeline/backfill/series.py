"""A series of runs as events for a surface: its start, the outcome of each run, and the windows left."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Protocol

from pipeline.backfill.estimate import Estimate, Progress, TimeLeft
from pipeline.backfill.plan import IsOver, Planned, work_through
from pipeline.clock import local_day
from pipeline.engine.context import Engine
from pipeline.engine.runner import Runner
from pipeline.events import Event
from pipeline.job import OFFLINE
from schemas.outcome import Ending, Outcome
from schemas.window import Window

MANY = 5_000
"""Windows from which on a person is asked although nothing costs money: they take minutes."""
_MOMENT = timedelta(microseconds=1)


@dataclass(frozen=True)
class Estimated:
    """The estimate of the back-fill with this id.

    `days` are its first and its last day, where the request left them or the jobs open. `later` windows are left for
    another time, because of the limit of windows.
    """

    backfill: str
    estimate: Estimate
    days: tuple[date, date] | None = None
    later: int = 0

    @property
    def asks(self) -> bool:
        """Whether a person should be asked first: it costs money, takes long, or was asked for without its days."""
        costs = self.estimate.model != OFFLINE and self.estimate.questions > 0
        return costs or self.estimate.partitions >= MANY or self.days is not None


@dataclass(frozen=True)
class NothingToRun:
    """No partition is left to run. `why` is the reason of a back-fill; without one, nothing is due."""

    why: str = ""


@dataclass(frozen=True)
class Begun:
    """So many `windows` of these jobs are about to be run, for a back-fill of this id or for none, over so many `days`.

    `zone` is the workspace's.
    """

    windows: int
    jobs: frozenset[str]
    zone: str
    backfill: str = ""
    days: int = 0


@dataclass(frozen=True)
class RunEnded:
    """The end of a run. `tokens` were used in the series so far; `titles` are of the entries that it wrote, by id."""

    outcome: Outcome
    tokens: int = 0
    titles: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Finished:
    """The series came to its end; an error or a request to stop ends it without this."""

    endings: tuple[Ending, ...]


@dataclass(frozen=True)
class Left:
    """A back-fill has so many `windows` still to run; `resume` are the words of the command that goes on.

    `by_itself` says that the service goes on with it: its model waits, or a limit of the day is reached.
    """

    backfill: str
    windows: int
    resume: tuple[str, ...]
    by_itself: bool = False


SeriesEvent = Estimated | NothingToRun | Begun | RunEnded | Progress | Finished | Left


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
