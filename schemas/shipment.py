"""A shipment: the session of a transcript that a laptop sends to the server of its owner, and what comes back."""

import re
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import Annotated

from pydantic import AfterValidator, Field

from schemas.base import Moment, RequestValue, Value, Zone
from schemas.evidence import RecordEvidence
from schemas.transcript import Message, Origin, OtherMachine, Role, Session

MOST_MESSAGES = 500
"""Messages of one shipment."""
KEY = 32
"""Characters of the key of a record."""
_LONGEST = 1_000
_NOT_IN_A_LINE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def _of_one_line(text: str) -> str:
    if _NOT_IN_A_LINE.search(text):
        message = "has a line end or another control character"
        raise ValueError(message)
    return text


_Line = Annotated[str, AfterValidator(_of_one_line)]
"""A text that can stand on a line of its own, as a source reads it."""
_Text = Annotated[_Line, Field(max_length=_LONGEST)]
_Texts = Annotated[tuple[_Text, ...], Field(max_length=10_000)]


class TranscriptHead(RequestValue):
    """A session of a transcript without its messages: on which `machine` it was read, by which kind of source.

    The other fields are those of `Session`. The projects are names, and `remotes` are the addresses of their
    repositories.
    """

    machine: _Line = Field(min_length=1, max_length=100)
    kind: str = Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")
    session_id: _Line = Field(min_length=1, max_length=_LONGEST)
    source: _Line = Field(min_length=1, max_length=_LONGEST)
    path: _Line = Field(min_length=1, max_length=4_096)
    agent: _Text = ""
    project: _Text = ""
    remotes: Mapping[_Text, _Text] = Field(default_factory=dict, max_length=_LONGEST)
    zone: Zone = "UTC"
    parent: _Text | None = None
    archived: bool = False
    other_sources: _Texts = ()

    @classmethod
    def of(cls, machine: str, session: Session) -> "TranscriptHead":
        """The head of a session that leaves this machine."""
        elsewhere = session.elsewhere or OtherMachine(kind="")
        return cls(
            machine=machine,
            kind=elsewhere.kind,
            remotes=elsewhere.remotes,
            other_sources=tuple(sorted(session.other_sources)),
            **{name: getattr(session, name) for name in _SHARED},
        )

    def session(self, messages: tuple[Message, ...], evidence: tuple[RecordEvidence, ...]) -> Session:
        """The session on the machine that it was sent to."""
        return Session(
            **{name: getattr(self, name) for name in _SHARED},
            other_sources=frozenset(self.other_sources),
            elsewhere=OtherMachine(kind=self.kind, remotes=dict(self.remotes)),
            machine=not any(message.origin is Origin.OWNER for message in messages),
            messages=messages,
            evidence=evidence,
        )


_SHARED = ("session_id", "source", "path", "agent", "project", "zone", "parent", "archived")


class KeptTranscript(TranscriptHead):
    """A session of a transcript in the store. `revision` grows with each shipment that reaches it."""

    revision: int = 1


def record_key(entry_ids: Sequence[str]) -> str:
    """The key of a record: a digest of its first id, which it keeps for good."""
    return blake2b(entry_ids[0].encode(errors="surrogatepass"), digest_size=KEY // 2).hexdigest()


class TranscriptRecord(RequestValue):
    """The record of a transcript that a message is of: all of `Message` but what a conversation holds of it.

    `evidence` is what it proves, and what the records behind it prove up to the next message.
    """

    number: int = Field(ge=0, lt=2**31)
    entry_ids: Annotated[_Texts, Field(min_length=1)]
    aliases: _Texts = ()
    origin: Origin
    session_path: _Line = Field(default="", max_length=5_000)
    project: _Text = ""
    evidence: tuple[RecordEvidence, ...] = ()

    def with_words(self, change: Callable[[str], str]) -> "TranscriptRecord":
        """The same record, with each text of its evidence as `change` gives it."""
        return self.model_copy(update={"evidence": tuple(one.with_words(change) for one in self.evidence)})

    def message(self, role: Role, time: Moment, text: str, *, vouched: bool) -> Message:
        """The message. It is the owner's only where a person's token has `vouched` for it."""
        owner = self.origin is Origin.OWNER
        return Message(
            number=self.number,
            entry_ids=self.entry_ids,
            role=role,
            origin=Origin.OTHER if owner and not vouched else self.origin,
            time=time,
            text=text,
            session_path=self.session_path,
            aliases=self.aliases,
            project=self.project,
        )


class ShippedMessage(RequestValue):
    """A message of a transcript, with its secrets masked; without words where nothing reads these."""

    role: Role
    time: Moment
    text: str = ""
    record: TranscriptRecord


class Shipment(RequestValue):
    """Some messages of a session, in any order. What was sent of it before stays, but for these messages.

    `whole` are the keys of all records that the session has now, one behind the other, where these messages are the
    last of them: what is there of any other record goes.
    """

    head: TranscriptHead
    messages: tuple[ShippedMessage, ...] = Field(default=(), max_length=MOST_MESSAGES)
    whole: str | None = Field(default=None, max_length=KEY * 200_000, pattern=r"^(?:[0-9a-f]{32})*$")

    @property
    def staying(self) -> frozenset[str] | None:
        """The keys of all records of the session; `None` where it does not say which these are."""
        keys = self.whole
        return None if keys is None else frozenset(keys[place : place + KEY] for place in range(0, len(keys), KEY))


class ShipmentReceipt(Value):
    """The answer to a shipment: the id of the conversation that holds the session, and how many messages it has.

    Before the shipment it `had` so many: fewer than after the one before it where the server was brought back to an
    earlier state.
    """

    conversation: str
    had: int
    has: int


class ShippingPlace(Value):
    """The workspace that sessions are sent to. `workspace` differs between two that one address leads to.

    `reads` says that its jobs read what is sent there: one of its sources is the store. `ships_only` says that the
    token opens nothing else: it is that of a laptop.
    """

    workspace: str
    reads: bool
    ships_only: bool
