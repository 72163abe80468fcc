"""The parts of a workspace, as programs get them: jobs, sessions, settings, checks and the index."""

from dataclasses import dataclass
from datetime import datetime

from schemas.checkup import CheckResult, Health


@dataclass(frozen=True)
class ListedSession:
    """A session of a source; `first` and `last` are moments of messages, `title` is the beginning of the owner's words.

    Only a session that is read has a title.
    The messages are those of the owner and of machines, each counted once. `path` is the file of a session that is in
    several: the one that is still written. `project` is the one in which it was last, empty where none is known, and
    `short` names the session in lists; commands take it in place of the id.
    """

    id: str | None
    source: str
    agent: str
    path: str
    first: datetime | None
    last: datetime | None
    owner_messages: int
    machine_messages: int
    title: str
    project: str
    short: str


@dataclass(frozen=True)
class JudgedSession(ListedSession):
    """A session, or a file without one, as `--why` lists it: `left_out` is why nothing is read, empty if it is read.

    It is a sentence about the setting that leaves it out, or `machine` where only machines speak, `no messages`, or
    `no session`.
    """

    left_out: str


@dataclass(frozen=True)
class SettingInForce:
    """A setting without secrets, and whether it is from the file, a variable or the default."""

    setting: str
    value: object
    from_: str


@dataclass(frozen=True)
class LocalSource:
    """A folder of transcripts, or of notes, on this machine, and whether it is `read`; `first` and `last` are changes.

    Without `files` it could not be listed in a moment.
    """

    kind: str
    path: str
    files: int | None
    first: datetime | None
    last: datetime | None
    read: bool


@dataclass(frozen=True)
class WorkspaceMade:
    """A workspace that was `made`, or is there already, and what was found for it."""

    workspace: str
    made: bool
    timezone: str
    sources: tuple[LocalSource, ...]


@dataclass(frozen=True)
class SettingsChecked:
    """The state of the settings: whether they can be used, and their problems."""

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

    @classmethod
    def of(cls, result: CheckResult, fix: str = "", *, fixed: bool = False) -> "CheckReport":
        """The report of a result, with what was done about it."""
        fixable = result.mend is not None
        return cls(result.name, result.health, result.message, result.advice, fixable, fixed, fix)


@dataclass(frozen=True)
class ListedWorkspace:
    """A workspace of the person's list.

    It `exists` while its folder has settings. `service` is the state of its service in a word, `agents` are those
    that are connected with it, and `last_run` is when its last run began.
    """

    name: str
    folder: str
    default: bool
    exists: bool
    service: str
    agents: tuple[str, ...]
    last_run: datetime | None


@dataclass(frozen=True)
class RemovedWorkspace:
    """A workspace that was taken off the person's list; the `units` and the `agents` that still name it."""

    name: str
    folder: str
    units: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
