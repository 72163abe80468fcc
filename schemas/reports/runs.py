"""Runs, and what became of them, as programs get them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from schemas.outcome import Rejection


@dataclass(frozen=True)
class TimeSpan:
    """From `start`, which is inside, to `end`, which is not."""

    start: datetime
    end: datetime


@dataclass(frozen=True)
class ListedRun:
    """A run. One that is going on, or was killed, has no `ended` and no `ending`.

    `backfill` is the id of the back-fill that it belongs to, or empty. `notices` are sentences for the owner. `short`
    names it in lists; commands take it in place of the id.
    """

    run_id: str
    job: str
    key: str
    window: TimeSpan
    began: datetime
    ended: datetime | None
    ending: str | None
    written: tuple[str, ...]
    items: tuple[str, ...]
    paths: tuple[str, ...]
    suggested: tuple[str, ...]
    skipped: Mapping[str, int]
    rejected: tuple[Rejection, ...]
    notices: tuple[str, ...]
    warning: str
    asked: int
    cached: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    tokens: int
    undone: datetime | None
    backfill: str
    short: str


@dataclass(frozen=True)
class FileChange:
    """The changes of a run in a file: `blocks` are the names of ours, `diff` is unified."""

    path: str
    kind: str
    blocks: tuple[str, ...]
    diff: str


@dataclass(frozen=True)
class ShownRun(ListedRun):
    """A run with all that is known of it.

    `sessions` has how many records of each lay in its window, `files` are where they stand, `reads` the patterns of
    other files that its job reads. `seconds` is how long it took, or has taken so far.
    """

    alive: bool
    seconds: float | None
    sessions: Mapping[str, int]
    files: tuple[str, ...]
    reads: tuple[str, ...]
    cost: str | None
    log: str | None
    changes: tuple[FileChange, ...]


@dataclass(frozen=True)
class UndoneRun:
    """A run that was taken back: `removed`, `restored` and `left` are names of our blocks.

    `again` is the command that runs its time again; `None` for what was no job's. `rendered` are the pages made of what
    was taken back, which were rendered again, and `warnings` what those runs warned of; the last run undone has them.
    `backfill` is the back-fill that it belonged to, or empty. So many `suggestions` of the run wait no longer.
    """

    run_id: str
    removed: tuple[str, ...]
    restored: tuple[str, ...]
    left: tuple[str, ...]
    job: str
    key: str
    again: str | None
    rendered: tuple[str, ...]
    warnings: tuple[str, ...]
    backfill: str
    suggestions: int


@dataclass(frozen=True)
class DryRun:
    """The changes that a dry run would make, as a unified diff."""

    diff: str
