"""The events of a series of runs, for a surface: its estimate, its start, the outcome of each run, the windows left."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from pipeline.job import OFFLINE
from schemas.outcome import Ending, Outcome

MANY = 5_000
"""Windows from which on a person is asked although nothing costs money: they take minutes."""


@dataclass(frozen=True)
class Estimate:
    """The cost of a plan. Questions that depend on unknown answers are not in it.

    `answered` are the questions with a cached answer, which cost nothing. `input_tokens` are an exact count for the
    other questions, and `output_tokens` a guess. `cost` is in `currency`; `None` when no price is known.
    `model` is `offline` when no model is asked. `takes_days` is how long the questions take, at the pace of the last
    answers and within the limits of a day; `None` where neither is known. `whole_to` is the later last day that would
    cut no week, see `whole_to`; it is empty when no week is cut.
    """

    partitions: int
    sessions: int
    model: str = OFFLINE
    questions: int = 0
    answered: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    currency: str = ""
    takes_days: int | None = None
    whole_to: str = ""


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


@dataclass(frozen=True)
class Progress:
    """So many windows are `done` of all `windows`, and the others are to take `seconds_left`."""

    done: int
    windows: int
    seconds_left: int


SeriesEvent = Estimated | NothingToRun | Begun | RunEnded | Progress | Finished | Left
