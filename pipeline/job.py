"""A job is a declaration plus a pure function that returns drafts. It has no hands: the engine does all the rest."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

from schemas.entry import Entry, Status
from schemas.outcome import Rejection
from schemas.transcript import Session
from schemas.window import Window

Answer = TypeVar("Answer", bound=BaseModel)


@dataclass(frozen=True)
class Schedule:
    """When a clocked job's windows end: a crontab line in the workspace's zone, plus every local midnight.

    `settle` is how long after its end a window closes, so that messages still being written are in their file.
    """

    cron: str
    settle: timedelta = timedelta(minutes=2)


@dataclass(frozen=True)
class Reads:
    """What a job sees. Nothing else is visible to it. `documents` are patterns relative to the workspace."""

    transcripts: bool = False
    documents: tuple[str, ...] = ()


@dataclass(frozen=True)
class Target:
    """The one family of files a job writes, such as `memory/{day}.md`; `{day}` is the local day.

    An append family grows by whole blocks; a family that is not `append` is rewritten. When a file holds `capacity`
    entries, the next go to `overflow` (with `{volume}` from 2).
    """

    family: str
    append: bool = False
    overflow: str = ""
    capacity: int = 0


@dataclass(frozen=True)
class Document:
    """A Markdown file as a job sees it. `path` is relative to the workspace, in POSIX form."""

    path: str
    text: str


@dataclass(frozen=True)
class Task(Generic[Answer]):
    """A question for a model, with the offline way to answer it. `input` is redacted already and fenced as data."""

    name: str
    prompt: str
    input: BaseModel
    returns: type[Answer]
    offline: Callable[[], Answer]


class Ask(Protocol):
    """`run.ask`: the only door to a model."""

    def __call__(self, tasks: Sequence[Task[Answer]]) -> list[Answer]:
        """The answers in the order of the tasks, asked in parallel, each from the cache when it was asked before."""


@dataclass(frozen=True)
class Run:
    """All that a job ever sees.

    `transcripts` are the sessions with messages inside the window, each whole up to the window's end and redacted (the
    text of messages that are not conversational is left out). `entries` are all entries of the job's own family (so
    far), in the order of their files. `forgotten` holds identities that people deleted. `now` is in the workspace's
    zone. `current` is the page that a rewriting job is about to bring up to date.
    """

    key: str
    window: Window
    day: date
    now: datetime
    transcripts: tuple[Session, ...]
    documents: tuple[Document, ...]
    entries: tuple[Entry, ...]
    forgotten: frozenset[str]
    ask: Ask
    current: str = ""


@dataclass(frozen=True)
class EntryDraft:
    """A new entry for an append family. `identity` is what makes it the same entry again (`pipeline.provenance`)."""

    entry: Entry
    identity: str


@dataclass(frozen=True)
class StatusDraft:
    """A new `status:` line for an entry of a settled file."""

    entry_id: str
    status: Status
    superseded_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class SectionDraft:
    """A named block of a rewritten page, in the order the job wants them."""

    name: str
    text: str


@dataclass(frozen=True)
class Skip:
    """Something that was seen and not written again, counted by `reason`."""

    reason: str


Draft = EntryDraft | StatusDraft | SectionDraft | Rejection | Skip


@dataclass(frozen=True)
class Job:
    """A job. `locks` are names held besides the job's own, so that jobs which must not meet do not."""

    name: str
    purpose: str
    schedule: Schedule
    reads: Reads
    writes: Target
    run: Callable[[Run], Sequence[Draft]]
    timeout: timedelta = timedelta(minutes=15)
    locks: tuple[str, ...] = field(default=())
