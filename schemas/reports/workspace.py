"""The parts of a workspace, as programs get them: jobs, sessions, settings, checks and the index."""

from dataclasses import dataclass
from datetime import datetime

from schemas.checkup import Health


@dataclass(frozen=True)
class ReadsReport:
    """What a job reads: whether `transcripts`, and the patterns of the files that are read in each way."""

    transcripts: bool
    entries: tuple[str, ...]
    documents: tuple[str, ...]
    by_people: tuple[str, ...]


@dataclass(frozen=True)
class DeclaredJob:
    """A job as it is declared, with the schedule and the time limit that the settings give; `timeout` is in seconds."""

    name: str
    purpose: str
    schedule: str
    reads: ReadsReport
    writes: str
    locks: tuple[str, ...]
    timeout: float


@dataclass(frozen=True)
class ListedSession:
    """A session of a source; `first` and `last` are moments of messages."""

    id: str | None
    source: str
    first: datetime | None
    last: datetime | None
    path: str


@dataclass(frozen=True)
class SettingInForce:
    """A setting without secrets, and whether it is from the file, a variable or the default."""

    setting: str
    value: object
    from_: str


@dataclass(frozen=True)
class SettingsChecked:
    """Whether the settings can be used, and what is wrong with them."""

    file: str
    usable: bool
    problems: tuple[str, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class CheckReport:
    """A check of the doctor. `fix` tells what was done about it, or why that could not be done."""

    check: str
    health: Health
    told: str
    advice: str
    fixable: bool
    fixed: bool
    fix: str
