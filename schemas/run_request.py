"""The request to run jobs over past days."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from schemas.base import Value


@dataclass(frozen=True)
class RunOptions:
    """The options of a run of jobs.

    `dry_run` changes nothing and shows the difference. `wait` is for how many seconds to wait for another run.
    `allow_shrink` goes on although many entries are gone; `take_over` makes this host the one that runs the workspace.
    """

    dry_run: bool = False
    wait: float = 0.0
    allow_shrink: bool = False
    take_over: bool = False


class Only(StrEnum):
    """Which of the windows that still have to run a back-fill runs. Every such window is of one of the first three."""

    MISSING = "missing"
    """Never run to an end: not tried, the ledger was lost, or a person took the run back."""

    FAILED = "failed"
    """The newest run did not end well: it failed, waited for the model, was over a budget, or was stopped or killed."""

    STALE = "stale"
    """Run well, and messages have come since that the run did not see."""

    ALL = "all"


class BackfillRequest(Value):
    """A back-fill: jobs over the local days from `first` to `last`, both inside.

    No jobs are all jobs. Without `first` it begins with the first message, and without `last` it goes on to now.
    `max_windows` is how many windows it runs before it stops, each time it is started; `None` is no limit. `parallel`
    is how many questions the model is asked at once; `None` leaves it to the settings. `tokens_left` are those that are
    left of the `max_tokens` it may use, in and out; `None` is no limit. One that `waits` was stopped by its model or by
    a limit of the day, and goes on by itself while the service runs.
    """

    id: str
    jobs: tuple[str, ...] = ()
    first: date | None = None
    last: date | None = None
    only: Only = Only.ALL
    max_windows: int | None = None
    parallel: int | None = None
    max_tokens: int | None = None
    tokens_left: int | None = None
    waits: bool = False

    @property
    def is_open(self) -> bool:
        """Whether it leaves jobs or days open."""
        return not (self.jobs and self.first and self.last)

    @property
    def work(self) -> tuple[object, ...]:
        """The work of the request, without the way it is done."""
        return set(self.jobs), self.first, self.last, self.only
