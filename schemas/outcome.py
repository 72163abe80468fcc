"""The outcome of a run."""

from enum import StrEnum

from pydantic import Field

from schemas import exit_codes
from schemas.base import Value
from schemas.window import Window


class Usage(Value):
    """The cost of some questions; tokens are the server's own count.

    `asked` are the questions put to the model, and `cached` those whose answer was known here, which cost nothing.
    `cached_tokens` are those of the input that the server still knew from an earlier question.
    """

    asked: int = 0
    cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        """Both together."""
        return Usage(
            asked=self.asked + other.asked,
            cached=self.cached + other.cached,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
        )

    @property
    def tokens(self) -> int:
        """The tokens of input and output."""
        return self.input_tokens + self.output_tokens


class Ending(StrEnum):
    """The ways a run can end; `EXIT_CODES` gives the exit code of each."""

    DONE = "done"
    EMPTY = "empty"
    DEGRADED = "degraded"
    WAITING = "waiting"
    FAILED = "failed"
    UNREADABLE = "unreadable"
    PARTIAL = "partial"
    OVER_BUDGET = "over_budget"
    LOCKED = "locked"
    TIMED_OUT = "timed_out"
    INTERRUPTED = "interrupted"


EXIT_CODES = {
    Ending.DONE: exit_codes.WELL,
    Ending.EMPTY: exit_codes.WELL,
    Ending.DEGRADED: exit_codes.WELL,
    Ending.FAILED: exit_codes.FAILED,
    Ending.UNREADABLE: exit_codes.PARTIAL,
    Ending.PARTIAL: exit_codes.PARTIAL,
    Ending.WAITING: exit_codes.WAITING,
    Ending.OVER_BUDGET: exit_codes.OVER_BUDGET,
    Ending.LOCKED: exit_codes.HELD,
    Ending.TIMED_OUT: exit_codes.OVERDUE,
    Ending.INTERRUPTED: exit_codes.INTERRUPTED,
}
SUCCESSES = frozenset({Ending.DONE, Ending.EMPTY, Ending.DEGRADED})
"""The endings of runs that leave nothing to do."""


NO_ROOM = "no_room"
"""The reason of a rejection that is none: what a page has no room for waits for it."""


class Rejection(Value):
    """A candidate that was not written. `reason` is one of a fixed set of names; `detail` says more, redacted."""

    reason: str
    session_id: str
    number: int
    detail: str = ""


class Outcome(Value):
    """The outcome of the run of a partition.

    `subject` is the agent that it is about, `backfill` the id of the back-fill that it belongs to; both may be empty.
    `written` are the ids of new entries, `items` the names of the page items that are new or have changed, and `paths`
    the files that changed. `suggested` are the ids of suggestions that wait for a person since. `notices` are sentences
    of the job for the owner, such as what a plan overrode. `asked` counts the questions put to the model, `cached`
    those whose answer was known; tokens are the server's own count, and `cached_tokens` those of the input that it
    still knew from an earlier question. `reading` is the version of the job's reading of transcripts, 0 without one.
    """

    job: str
    key: str
    window: Window
    ending: Ending
    run_id: str = ""
    written: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    suggested: tuple[str, ...] = ()
    skipped: dict[str, int] = Field(default_factory=dict)
    rejected: tuple[Rejection, ...] = ()
    notices: tuple[str, ...] = ()
    warning: str = ""
    asked: int = 0
    cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    reading: int = 0
    subject: str = ""
    backfill: str = ""

    @property
    def is_silent(self) -> bool:
        """Whether it found nothing, and warns of nothing: of such runs there are thousands."""
        return self.ending is Ending.EMPTY and not self.warning
