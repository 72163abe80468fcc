"""A session in one shape for all agents."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from zoneinfo import ZoneInfo

from pydantic import AwareDatetime, Field

from schemas.base import Value
from schemas.evidence import RecordEvidence
from schemas.window import Window

MASK = "\N{BULLET}"
"""The replacement of a character of a secret: a redacted text keeps its length, and spans hold."""


class Role(StrEnum):
    """The side of the conversation of a message, in its file."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


class Origin(StrEnum):
    """The real author of a message. Only `OWNER`, or an accepted proposal of `ASSISTANT`, can confirm anything.

    `SUMMARY` is an agent's own summary of what was said before in its session, when that got too long: its note of it.
    """

    OWNER = "owner"
    ASSISTANT = "assistant"
    TOOL = "tool"
    WEB = "web"
    OTHER = "other"
    MACHINE = "machine"
    MEMORY = "memory"
    SUMMARY = "summary"


class Message(Value):
    """A message of a session.

    `number` counts every record of the session from 1, excluded ones too, so it never changes when a file grows.
    `entry_ids` are the record ids in the file; several when one message was split over lines. `text` is what was said,
    without the envelope that a channel or a plugin put around it. `session_path` is where it stands, as in an entry,
    when that is another file of its session than `Session.session_path`. `aliases` are other names of the same message
    in its session: ids of records that repeat it, and of what it says at its time. `project` is the folder that its
    record names, and empty where that is the session's.
    """

    number: int
    entry_ids: tuple[str, ...]
    role: Role
    origin: Origin
    time: AwareDatetime
    text: str
    session_path: str = Field(default="", exclude=True)
    aliases: tuple[str, ...] = Field(default=(), exclude=True)
    project: str = Field(default="", exclude=True)

    @property
    def conversational(self) -> bool:
        """Whether a person or the assistant talks here, to the other."""
        return self.origin in {Origin.OWNER, Origin.ASSISTANT} and bool(self.text)

    @property
    def readable(self) -> bool:
        """Whether it is in the conversation, or a summary of it: the text of all others is never kept."""
        return self.conversational or (self.origin is Origin.SUMMARY and bool(self.text))

    @property
    def names(self) -> tuple[str, ...]:
        """All that names the message in its session: its ids, then its aliases."""
        return (*self.entry_ids, *self.aliases)


class OtherMachine(Value):
    """The machine on which a session was read, where that is another one than this.

    Its folders are not here: the projects of the session are names, and `remotes` are the addresses of their
    repositories. `kind` is that of the source.
    """

    kind: str
    remotes: dict[str, str] = Field(default_factory=dict)


class Session(Value):
    """A session: its messages in the order of the file.

    `session_id` is the id in its files; where another kind of source has that id, the catalog puts the kind before it,
    such as `codex:8f1c2d`. `source` names the source root and `path` is relative to it, so that a workspace or a home
    folder can move. `project` is the folder it works in; the catalog gives the name of the project instead, here and in
    the messages. `remote` is the address that the repository there comes from, where the file says so.
    `zone` is the IANA name that the owner's local dates of this session are told in. `machine` says that no person
    takes part (a sub-agent, a scheduled job): such a session yields nothing. `archived` says that the agent has put the
    file aside and writes to it no more. `routine` says that it opens like several before it, in which nobody spoke
    twice: a script may speak there. `skipped` counts the records that were passed over, by reason. `pieces` are the
    stretches, in order, that a question is asked about each, as far as a run sees them. `evidence` is what its records
    prove by their fields, in their order. `other_sources` are those that hold files of it too. `elsewhere` is where it
    was read, if that is not this machine.
    """

    session_id: str
    source: str
    path: str
    agent: str = ""
    project: str = ""
    remote: str = Field(default="", exclude=True)
    zone: str = "UTC"
    parent: str | None = None
    machine: bool = False
    archived: bool = False
    routine: bool = False
    messages: tuple[Message, ...] = ()
    skipped: dict[str, int] = Field(default_factory=dict)
    pieces: tuple[Window, ...] = Field(default=(), exclude=True)
    evidence: tuple[RecordEvidence, ...] = Field(default=(), exclude=True)
    other_sources: frozenset[str] = Field(default=frozenset(), exclude=True)
    elsewhere: OtherMachine | None = Field(default=None, exclude=True)

    @property
    def session_path(self) -> str:
        """The path in an entry: `<source>:<path>`."""
        return f"{self.source}:{self.path}"

    @property
    def sources(self) -> frozenset[str]:
        """The names of the sources that its words are from: its files may lie in several."""
        return self.other_sources | {self.source}

    def project_of(self, message: Message) -> str:
        """The name of the project of a message; empty without a project."""
        return message.project or self.project

    def before(self, end: datetime) -> "Session":
        """The session as it was before a moment."""
        kept = tuple(message for message in self.messages if message.time < end)
        proven = tuple(evidence for evidence in self.evidence if evidence.time < end)
        if len(kept) == len(self.messages) and len(proven) == len(self.evidence):
            return self
        return self.model_copy(update={"messages": kept, "evidence": proven})

    @property
    def conversation(self) -> tuple[Message, ...]:
        """The messages between the owner and the assistant, in order."""
        return tuple(message for message in self.messages if message.conversational)

    @property
    def readable(self) -> tuple[Message, ...]:
        """The conversation, and an agent's summaries of it where they stand, in order."""
        return tuple(message for message in self.messages if message.readable)

    @property
    def local_readable(self) -> tuple[Message, ...]:
        """The conversation at the owner's local times, so that "tomorrow" has a date."""
        zone = ZoneInfo(self.zone)
        return tuple(message.model_copy(update={"time": message.time.astimezone(zone)}) for message in self.readable)

    def keeping(self, kept: Sequence[Message]) -> "Session":
        """The session with these of its messages alone, and without summaries that may tell again what is left out."""
        numbers = {message.number for message in kept}
        gone = [message.number for message in self.readable if message.number not in numbers][:1]
        stay = (
            message for message in kept if message.origin is not Origin.SUMMARY or not gone or message.number < gone[0]
        )
        return self.model_copy(update={"messages": tuple(stay)})


def id_in_file(session_id: str) -> str:
    """The id of a session as its files have it: without the kind of source that may stand before it."""
    kind, colon, plain = session_id.partition(":")
    return plain if colon and kind.isidentifier() else session_id


class TranscriptFile(Value):
    """A file that may hold a session, as the file system lists it; `path` is relative to its source root."""

    path: str
    size: int
    mtime_ns: int
