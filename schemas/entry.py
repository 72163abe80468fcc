"""An entry of a daily file: a thing worth remembering, with the words it rests on."""

from contextlib import suppress
from datetime import date, datetime
from enum import StrEnum

from pydantic import AwareDatetime, Field

from schemas.base import Value

NOT_STATED = "not stated"

QUOTED_CONFIDENCE = 0.5
"""The highest confidence of an entry of which only the quote is the owner's."""


Day = date  # an entry has a field named `date`

_CORRECTED = "a person corrected it at "


class Kind(StrEnum):
    """The kind of an entry."""

    DECISION = "decision"
    RULE = "rule"
    ARCHITECTURE = "architecture"
    REMEMBER = "remember"


class Status(StrEnum):
    """The state of an entry (see `pipeline.entries.standing`, which folds it from all entries)."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"
    IN_REVIEW = "in_review"
    """Today's reading would not write it: it stays until a person decides, and nothing rests on it meanwhile."""


class Trust(StrEnum):
    """The trust of an entry: whose word it rests on, the weakest of several.

    An `owner` or `accepted` entry is ours, word for word; so is an `edited` one, which says what the owner wrote into a
    file. Of a `quoted` one the quote is the owner's, and the rest may be anybody's: its title, conclusion, kind, links
    and confidence. Of an `unverified` one nothing is known.
    """

    OWNER = "owner"
    ACCEPTED = "accepted"
    EDITED = "edited"
    QUOTED = "quoted"
    UNVERIFIED = "unverified"

    @property
    def level(self) -> int:
        """The level of belief in an entry: 2 all of it, 1 its quote, 0 nothing."""
        return {Trust.QUOTED: 1, Trust.UNVERIFIED: 0}.get(self, 2)


class Source(Value):
    """The place of the words. `message_range` is the first and last record number of the exchange, both inside.

    `entry_ids` starts with the message that holds the quote.
    """

    session_id: str
    session_path: str
    message_range: tuple[int, int]
    entry_ids: tuple[str, ...] = Field(min_length=1)


class Entry(Value):
    """One entry. `quote` is verbatim; `confidence` is 0 to 1; ids in `supersedes` and `reinforces` may be unknown.

    Of those in `supersedes_part` one of several things does not hold any more, and the rest does.

    `grounds` are what its links rest on; empty without links, and for those of earlier versions and of people. An entry
    that `corrects` another one has the date and the source of that one, and the person's own words as its quote.

    `until` is the last day on which it holds, where that is known. A `goal` is what the owner wants to reach: no fact.
    `project` is the name of that in which it was said, where it was one.
    """

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
    grounds: str = ""
    refs: tuple[str, ...] = ()
    supersedes_part: tuple[str, ...] = ()
    corrects: str = ""
    until: Day | None = None
    goal: bool = False
    project: str = ""

    @property
    def moment(self) -> datetime:
        """The time at which it was settled: the date of its message, or that of a person's correction."""
        return (corrected_at(self.grounds) if self.corrects else None) or self.date

    def as_unverified(self) -> "Entry":
        """The entry with the trust of an unknown author."""
        return self.model_copy(update={"trust": Trust.UNVERIFIED})

    def quote_alone(self) -> "Entry":
        """The entry with its quote in place of all other words, which may be of others."""
        words = dict.fromkeys(("title", "conclusion"), self.quote)
        rest = dict.fromkeys(("why", "finding", "impact"), NOT_STATED)
        return self.model_copy(update=words | rest | {"grounds": "", "until": None, "goal": False, "project": ""})


def correction_grounds(moment: datetime) -> str:
    """The grounds of an entry that corrects another entry."""
    return f"{_CORRECTED}{moment.isoformat(timespec='seconds')}"


def is_corrected(grounds: str) -> bool:
    """Whether these are the grounds of a correction: then a person made all links of the entry."""
    return grounds.startswith(_CORRECTED)


def corrected_at(grounds: str) -> datetime | None:
    """The time of the correction, by the grounds of the entry; `None` when they do not tell it."""
    with suppress(ValueError):
        moment = datetime.fromisoformat(grounds.removeprefix(_CORRECTED))
        return moment if is_corrected(grounds) and moment.tzinfo else None
    return None
