"""A suggestion: what a person decides about, be it new or in the files already."""

import hashlib
from typing import Annotated, Literal

from pydantic import AwareDatetime, Discriminator

from schemas.base import Value
from schemas.entry import Entry, Source, Status
from schemas.links import is_kept, with_kept

ID_LENGTH = 16
"""Hex digits of an id; the first 8 are enough as a rule."""


class NewEntry(Value):
    """What a job did not write by itself. Accepted, it is written; declined, it does not come back."""

    form: Literal["new"] = "new"
    entry: Entry

    @property
    def text(self) -> str:
        """What would be written."""
        return self.entry.conclusion


class StandingEntry(Value):
    """An entry that today's reading would not write. Accepted, it holds again; declined, it leaves its file."""

    form: Literal["entry"] = "entry"
    entry: Entry

    @property
    def text(self) -> str:
        """What stands there."""
        return self.entry.conclusion

    def waits_in(self, now: Entry) -> bool:
        """Whether it still is to be decided, as the entry stands now."""
        return now.status is Status.IN_REVIEW

    def accepted(self, now: Entry, text: str) -> Entry:
        """The entry as a person keeps it, who is sure of it, in the person's own words if there are some."""
        words = {"conclusion": text} if text else {}
        return now.model_copy(update={"status": Status.ACTIVE, "confidence": 1.0, **words})


class StandingLink(Value):
    """A link that today's judgement would not make, in the line `kind` of `entry`. Declined, it is taken apart."""

    form: Literal["link"] = "link"
    entry: Entry
    kind: str
    target: str
    target_text: str

    @property
    def text(self) -> str:
        """The link, and the words of both entries."""
        return f'{self.entry.id} {self.kind} {self.target}: "{self.entry.conclusion}", "{self.target_text}"'

    def waits_in(self, now: Entry) -> bool:
        """Whether it still is to be decided, as the entry stands now."""
        return self.target in getattr(now, self.kind) and not is_kept(now.grounds, self.target)

    def accepted(self, now: Entry, _: str) -> Entry:
        """The entry with the link that a person keeps; it has no words of its own."""
        return now.model_copy(update={"grounds": with_kept(now.grounds, self.target)})


Suggested = Annotated[NewEntry | StandingEntry | StandingLink, Discriminator("form")]
"""What a suggestion is about. `entry` of a link is the one that has it."""


class Suggestion(Value):
    """What waits for a person.

    `form` is `new`, `entry` or `link`; `entry_id` names the entry of the last two. `text` is what would be written or
    what stands, `quote` the owner's words, `date` when they were said. `kind` is that of the entry. `reason` tells why
    it waits, such as `below_the_line` or `routine`. `confidence` is 0 to 1.
    """

    id: str
    job: str
    form: str
    entry_id: str
    kind: str
    title: str
    text: str
    quote: str
    date: AwareDatetime
    confidence: float
    source: Source
    reason: str


class AcceptedEntry(Value):
    """The request of a person who accepts a suggestion. `text` is the person's own, or empty: then it stays as it was.

    `identity` makes the entry the same again (`pipeline.entries.provenance`).
    """

    entry: Entry
    identity: str
    text: str = ""


def suggestion_id(identity: str) -> str:
    """The id of a suggestion: the same for the same identity, whichever run makes it."""
    return hashlib.sha256(identity.encode()).hexdigest()[:ID_LENGTH]
