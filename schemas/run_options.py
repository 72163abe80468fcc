"""Options of runs. Light to import: the process that watches a run needs no more than this."""

from dataclasses import dataclass
from enum import StrEnum


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
