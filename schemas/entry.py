"""An entry of a daily file: one thing worth remembering, with the words it rests on."""

from enum import StrEnum

from pydantic import AwareDatetime, Field

from schemas.base import Value

NOT_STATED = "not stated"


class Kind(StrEnum):
    """What sort of thing was settled."""

    DECISION = "decision"
    RULE = "rule"
    ARCHITECTURE = "architecture"
    REMEMBER = "remember"


class Status(StrEnum):
    """The state of an entry (see `pipeline.state`, which folds it from all entries)."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"


class Trust(StrEnum):
    """Whose word an entry rests on; the least of all that took part."""

    OWNER = "owner"
    ACCEPTED = "accepted"
    UNVERIFIED = "unverified"


class Source(Value):
    """Where the words stand. `message_range` is the first and last record number of the exchange, both inside.

    `entry_ids` starts with the message that holds the quote.
    """

    session_id: str
    session_path: str
    message_range: tuple[int, int]
    entry_ids: tuple[str, ...] = Field(min_length=1)


class Entry(Value):
    """One entry. `quote` is verbatim; `confidence` is 0 to 1; ids in `supersedes` and `reinforces` may be unknown."""

    id: str
    title: str
    kind: Kind
    date: AwareDatetime
    source: Source
    quote: str
    why: str = NOT_STATED
    finding: str = NOT_STATED
    conclusion: str
    impact: str = NOT_STATED
    confidence: float = Field(ge=0, le=1)
    trust: Trust = Trust.OWNER
    status: Status = Status.ACTIVE
    supersedes: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    reinforces: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
