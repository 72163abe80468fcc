"""What is asked for when jobs are to be run: in which manner, and over which days."""

from datetime import date
from enum import StrEnum

from pydantic import Field

from schemas.base import Value


class RunOptions(Value):
    """How jobs are run.

    `dry_run` changes nothing and tells what would change. `wait` is for how many seconds to wait for a run of others.
    `allow_shrink` goes on although many entries are gone; `take_over` makes this host the one that runs the workspace.
    """

    dry_run: bool = False
    wait: float = Field(default=0.0, ge=0)
    allow_shrink: bool = False
    take_over: bool = False


class Only(StrEnum):
    """Which of the windows that still have to run a back-fill runs. Every such window is of one of the first three."""

    MISSING = "missing"
    """Never run to an end: nobody tried, the ledger was lost, or a person took the run back."""

    FAILED = "failed"
    """The newest run did not end well: it failed, waited for the model, was over a budget, or was stopped or killed."""

    STALE = "stale"
    """Run well, and messages have come since that the run did not see."""

    ALL = "all"


class BackfillRequest(Value):
    """A back-fill: jobs over the local days from `first` to `last`, both inside.

    `parallel` is how many questions the model is asked at once; `None` leaves it to the settings. `tokens_left` are
    those that are left of the `max_tokens` it may use, in and out; `None` is no limit.
    """

    id: str
    jobs: tuple[str, ...]
    first: date
    last: date
    only: Only = Only.ALL
    parallel: int | None = None
    max_tokens: int | None = None
    tokens_left: int | None = None

    @property
    def work(self) -> tuple[object, ...]:
        """What is to be done, however it is done."""
        return set(self.jobs), self.first, self.last, self.only
