"""The status of a workspace, for programs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from schemas.reports.runs import TimeSpan
from schemas.reports.source_records import RecordCounts, SourceUnreadable


@dataclass(frozen=True)
class NextWindow(TimeSpan):
    """A window to come, and the moment from which it is run."""

    run_from: datetime


@dataclass(frozen=True)
class RunTrouble:
    """A run that did not end well, or that warns."""

    run_id: str
    key: str
    ending: str
    warning: str


@dataclass(frozen=True)
class CaptureReport:
    """Sessions of the last `days` that gave an entry; `silent` says that some should have given one.

    `sessions` had records in the time that the job has covered, and `captured` of them gave an entry that still stands.
    It is `silent` when none did, although the owner speaks in several.
    """

    days: int
    sessions: int
    captured: int
    silent: bool


@dataclass(frozen=True)
class JobReport:
    """A job. `backfill` is the command that runs its `unknown` time; `parked` is the service's word on it."""

    job: str
    last_success: datetime | None
    rebuilt: datetime | None
    due: int
    oldest_due: TimeSpan | None
    next: NextWindow | None
    troubled: tuple[RunTrouble, ...]
    warned: RunTrouble | None
    unknown: tuple[TimeSpan, ...]
    backfill: str | None
    at_work: str | None
    next_look: datetime | None
    parked: Mapping[str, Any] | None
    capture: CaptureReport | None


@dataclass(frozen=True)
class ServiceReport:
    """The service: `running`, `stopped`, `abandoned`, `unreadable` or `none`. `child` is the run at work."""

    service: str
    pid: int | None
    host: str | None
    version: str | None
    started: datetime | None
    alive: datetime | None
    child: Mapping[str, Any] | None
    missed: tuple[Mapping[str, Any], ...]
    error: str | None


@dataclass(frozen=True)
class LockReport:
    """A lock that is held, and when the run that holds it should be over.

    `holder` is the text of its file about the holder, and `pid` the process: 0 when it is unknown or has ended, so that
    another one must have the lock.
    """

    lock: str
    pid: int
    holder: str
    deadline: datetime | None


@dataclass(frozen=True)
class BackfillReport:
    """A back-fill that was stopped: how many windows are left, and the words of the command that goes on.

    No `jobs` are all jobs. One that `waits` goes on by itself while the service runs.
    """

    backfill: str
    jobs: tuple[str, ...]
    left: int
    resume: tuple[str, ...]
    waits: bool


@dataclass(frozen=True)
class BatchReport:
    """A batch of so many questions of a back-fill that is at the model's server since `sent`."""

    batch: str
    model: str
    questions: int
    sent: datetime


@dataclass(frozen=True)
class IndexReport:
    """The index: `fresh`, `behind` by so many `changed` files, `none` or `unusable` because of an `error`."""

    index: str
    changed: int | None
    error: str | None


@dataclass(frozen=True)
class DetailIndexReport:
    """The index of stored texts: of so many `stored`, `waiting` are not in it yet; or why that cannot be told."""

    details: str
    stored: int | None
    waiting: int | None
    error: str | None


class AlarmCause(StrEnum):
    """The cause for which nothing comes from a source, or not all.

    Its folder is `empty`; there are files and `no_sessions` in them; a folder holds sessions of an `other_kind`; files
    are `stalled`, for they grow and no message is read; or too many are `unknown_records`.
    """

    EMPTY = "empty"
    NO_SESSIONS = "no_sessions"
    OTHER_KIND = "other_kind"
    STALLED = "stalled"
    UNKNOWN_RECORDS = "unknown_records"


@dataclass(frozen=True)
class SourceAlarm:
    """A source that may be read in vain. `sentence` has no full stop; `advice` is a sentence."""

    cause: AlarmCause
    sentence: str
    advice: str


@dataclass(frozen=True)
class SourceHint:
    """A folder that no setting names, where agents of a `kind` leave their sessions, and some do."""

    unnamed: str
    kind: str

    @property
    def sentence(self) -> str:
        """The hint, without a full stop."""
        return f"{self.unnamed} has sessions of {self.kind}, and no setting names it"

    @property
    def advice(self) -> str:
        """Advice for a person who means them to be read."""
        table = f'To read them, add a [[sources]] table with kind = "{self.kind}" and path = "{self.unnamed}"'
        return f"{table}; with its path in sources_ignored nothing says so any more."


@dataclass(frozen=True)
class SourceReport:
    """A source of transcripts, as of the last refresh; `first` and `last` are moments of messages.

    `sessions` are those that are read. Of the others, the settings leave `left_out` out, and only machines speak in
    `machine_sessions`. `files` are all that were read, also without a session.
    """

    source: str
    kind: str
    path: str
    sessions: int
    first: datetime | None
    last: datetime | None
    unreadable: SourceUnreadable | None
    left_out: int = 0
    machine_sessions: int = 0
    files: int = 0
    records: RecordCounts = field(default_factory=RecordCounts)
    alarms: tuple[SourceAlarm, ...] = ()


@dataclass(frozen=True)
class SuggestionsReport:
    """So many suggestions are `waiting` for a person; `command` lists them."""

    waiting: int
    command: str


@dataclass(frozen=True)
class EditsReport:
    """Entries that were changed in their files: `new` are the ids of those that the next run looks at.

    So many changes are `asked` about among the suggestions, and so many are `obeyed`.
    """

    new: tuple[str, ...]
    asked: int
    obeyed: int


@dataclass(frozen=True)
class PageReport:
    """The page that is full: `waiting` entries found no room beside the `lines` and `characters` of a person."""

    page: str
    waiting: int
    lines: int
    characters: int
    closed: bool


@dataclass(frozen=True)
class GridReport:
    """The standing of the days, weeks or months of a job; `each` says which of them the `cells` are of."""

    job: str
    each: str
    cells: Mapping[str, str]


@dataclass(frozen=True)
class ShippingStatusReport:
    """`memory ship`: the server `ship_url`, when it was `last_shipped` to, and since when that `failed`, and why."""

    ship_url: str
    last_shipped: datetime | None
    failed: datetime | None
    failure: str
