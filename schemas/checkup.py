"""Results of checks: of a workspace, of its machine and of its parts."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class Health(StrEnum):
    """The health of what was looked at. A `warn` may be intended; a `fail` means that something does not work."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True)
class CheckResult:
    """An answer to the question of a check, with advice for a person.

    `mend` applies the fix, where that is safe, and returns a sentence about it; it raises a `PipelineError` when it
    cannot.
    """

    name: str
    health: Health
    message: str
    advice: str = ""
    mend: Callable[[], str] | None = None
