"""How a run ended."""

from enum import StrEnum

from pydantic import Field

from schemas.base import Value
from schemas.window import Window


class Ending(StrEnum):
    """The ways a run can end; `EXIT_CODES` gives the exit code of each."""

    DONE = "done"
    EMPTY = "empty"
    DEGRADED = "degraded"
    WAITING = "waiting"
    FAILED = "failed"
    PARTIAL = "partial"
    OVER_BUDGET = "over_budget"
    LOCKED = "locked"
    TIMED_OUT = "timed_out"
    INTERRUPTED = "interrupted"


EXIT_CODES = {
    Ending.DONE: 0,
    Ending.EMPTY: 0,
    Ending.DEGRADED: 0,
    Ending.FAILED: 1,
    Ending.PARTIAL: 3,
    Ending.WAITING: 4,
    Ending.OVER_BUDGET: 5,
    Ending.LOCKED: 75,
    Ending.TIMED_OUT: 124,
    Ending.INTERRUPTED: 130,
}


NO_ROOM = "no_room"
"""The reason of a rejection that is none: what a page has no room for waits for it."""


class Rejection(Value):
    """A candidate that was not written. `reason` is one of a fixed set of names; `detail` says more, redacted."""

    reason: str
    session_id: str
    number: int
    detail: str = ""


class Outcome(Value):
    """What one partition's run did.

    `written` are the ids of new entries, `items` the names of the page items that are new or have changed, and `paths`
    the files that changed. `asked` counts the questions put to the model, `cached` those whose answer was known; tokens
    are the server's own count.
    """

    job: str
    key: str
    window: Window
    ending: Ending
    run_id: str = ""
    written: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    skipped: dict[str, int] = Field(default_factory=dict)
    rejected: tuple[Rejection, ...] = ()
    warning: str = ""
    asked: int = 0
    cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
