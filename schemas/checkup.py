"""What a check of a workspace, of its machine or of its parts comes to."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class Health(StrEnum):
    """How a check came out. A `warn` may be as it should; a `fail` means that something does not work."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True)
class Check:
    """What a check found, and what a person can do about it.

    `mend` does it, where that is safe, and tells what it did; it raises a `PipelineError` when it cannot.
    """

    name: str
    health: Health
    message: str
    advice: str = ""
    mend: Callable[[], str] | None = None
