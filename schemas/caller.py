"""Callers over HTTP, and their tokens."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from schemas.base import Value


class CallerKind(StrEnum):
    """The kind of a caller: a person, an agent, or a person's laptop, which ships transcripts and does nothing else."""

    PERSON = "person"
    AGENT = "agent"
    LAPTOP = "laptop"


class Caller(Value):
    """A caller. `name` is the token's; of an agent, `agent` is its name in the settings, or in its own words."""

    kind: CallerKind
    name: str
    agent: str = ""

    @property
    def is_person(self) -> bool:
        """Whether it is a person."""
        return self.kind is CallerKind.PERSON

    @property
    def is_laptop(self) -> bool:
        """Whether it is a laptop."""
        return self.kind is CallerKind.LAPTOP


class ListedToken(Value):
    """A token as it is listed: whose it is, when it was added, and until when it opens anything; for good without."""

    name: str
    kind: CallerKind
    agent: str = ""
    added: datetime
    expires: datetime | None = None


class KeptToken(ListedToken):
    """A token as it is kept: its hash alone."""

    sha256: str

    @property
    def caller(self) -> Caller:
        """The caller with this token."""
        return Caller(kind=self.kind, name=self.name, agent=self.agent)

    def has_expired(self, now: datetime) -> bool:
        """Whether it opens nothing any more."""
        return self.expires is not None and self.expires <= now


@dataclass(frozen=True)
class MadeToken:
    """A new token, which is told this once."""

    name: str
    kind: CallerKind
    agent: str
    token: str


@dataclass(frozen=True)
class RevokedToken:
    """A token that opens nothing any more."""

    name: str
