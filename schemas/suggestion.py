"""A suggestion: content that a person decides about, new or in the files already."""

import hashlib
from datetime import UTC, datetime, time
from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, Discriminator

from schemas.base import Value
from schemas.correction import CorrectedWords
from schemas.entry import Entry, Source, Status
from schemas.fact import Fact
from schemas.links import is_kept, with_kept
from schemas.memory_change import MemoryChange

ID_LENGTH = 16
"""Hex digits of an id; the first 8 are enough as a rule."""


class _OfSuggestion(Value):
    """The base of the subjects of suggestions; `is_new` tells that nothing of ours is in a file."""

    is_new: ClassVar[bool] = True


class _OfEntry(_OfSuggestion):
    """The base of suggestions about an entry."""

    entry: Entry

    @property
    def text(self) -> str:
        """The text that would be written, or that is in the file."""
        return self.entry.conclusion

    @property
    def words(self) -> str:
        """The words by which it is compared with what was declined."""
        return self.entry.conclusion

    @property
    def suggestion_fields(self) -> dict[str, object]:
        """The fields of a `Suggestion` that are its own."""
        entry = self.entry
        return {
            "entry_id": "" if self.is_new else entry.id,
            "kind": entry.kind.value,
            "title": entry.title,
            "text": self.text,
            "quote": entry.quote,
            "date": entry.date,
            "confidence": entry.confidence,
            "source": entry.source,
        }


class NewEntry(_OfEntry):
    """An entry that a job did not write by itself. Accepted, it is written; declined, it does not come back."""

    form: Literal["new"] = "new"


class ProposedChange(_OfSuggestion):
    """A change of an agent's memory that the gate did not let through. Accepted, it is written into the journal."""

    form: Literal["change"] = "change"
    agent: str
    change: MemoryChange

    @property
    def text(self) -> str:
        """The text that would be written, and the text that it would replace."""
        old = f' in place of "{self.change.before}"' if self.change.before else ""
        return f"{self.change.text}{old}"

    @property
    def words(self) -> str:
        """The words by which it is compared with what was declined: for this agent alone."""
        return f"{self.agent} {self.change.operation.value} {self.change.before} {self.change.text}"

    @property
    def suggestion_fields(self) -> dict[str, object]:
        """The fields of a `Suggestion` that are its own."""
        change = self.change
        where = change.session_id or f"{change.asked_by or 'nobody'} over {change.over or 'nothing'}"
        source = Source(
            session_id=where, session_path="", message_range=(change.number, change.number), entry_ids=("",)
        )
        return {
            "entry_id": change.target,
            "kind": f"{self.agent} {change.operation.value.lower()}",
            "title": change.text,
            "text": self.text,
            "quote": change.quote,
            "date": change.at,
            "confidence": None,
            "source": source,
        }


class ProposedFact(_OfSuggestion):
    """A fact that somebody else wrote into a file, or that the owner said and that is not sure to last.

    Accepted, it is written as ours; declined, a file stays as it is.
    """

    form: Literal["fact"] = "fact"
    fact: Fact

    @property
    def text(self) -> str:
        """The fact, behind the names that it is about."""
        names = " ".join(f"@{name}" for name in self.fact.entities)
        return f"{names}: {self.fact.text}" if names else self.fact.text

    @property
    def words(self) -> str:
        """The words by which it is compared with what was declined."""
        return f"{self.fact.kind.value} {self.text}"

    @property
    def suggestion_fields(self) -> dict[str, object]:
        """The fields of a `Suggestion` that are its own."""
        fact = self.fact
        place, numbers = (fact.session_id, fact.numbers) if fact.quote else (fact.path, (fact.line, fact.line))
        source = Source(session_id=place, session_path=fact.path, message_range=numbers, entry_ids=("",))
        return {
            "entry_id": "",
            "kind": f"fact {fact.kind.name.lower()}",
            "title": fact.text,
            "text": self.text,
            "quote": fact.quote,
            "date": datetime.combine(fact.day, time(12), UTC),
            "confidence": None,
            "source": source,
        }


class ProposedAlias(_OfSuggestion):
    """Two names that may be one entity's. Accepted, `alias`, first named `at` that time, is another name of `name`."""

    form: Literal["alias"] = "alias"
    name: str
    alias: str
    at: AwareDatetime

    @property
    def text(self) -> str:
        """The alias that would hold, in a sentence."""
        return f"{self.alias} is another name of {self.name}"

    @property
    def words(self) -> str:
        """The words by which it is compared with what was declined."""
        return f"alias {self.name} {self.alias}"

    @property
    def suggestion_fields(self) -> dict[str, object]:
        """The fields of a `Suggestion` that are its own."""
        source = Source(session_id="names that are alike", session_path="", message_range=(0, 0), entry_ids=("",))
        return {
            "entry_id": "",
            "kind": self.form,
            "title": self.text,
            "text": self.text,
            "quote": "",
            "date": self.at,
            "confidence": None,
            "source": source,
        }


class ProposedCorrection(_OfEntry):
    """Other words for an entry that holds, which nobody knows to be the owner's. Accepted, it is corrected.

    `by` names who proposes it: an agent, or the file in which somebody changed the entry, `at` the time when that was
    seen. An empty `title` is made of the words.
    """

    form: Literal["correction"] = "correction"
    words_of: CorrectedWords
    by: str
    at: AwareDatetime

    @property
    def text(self) -> str:
        """The words that would hold, and the words that they would replace."""
        return f'{self.words_of.conclusion} in place of "{self.entry.conclusion}"'

    @property
    def words(self) -> str:
        """The words by which it is compared with what was declined: for this entry alone."""
        return f"{self.entry.id} {self.words_of.title} {self.words_of.conclusion}"

    @property
    def suggestion_fields(self) -> dict[str, object]:
        """The fields of a `Suggestion` that are its own."""
        return super().suggestion_fields | {"entry_id": self.entry.id, "title": self.words_of.conclusion}

    def holds_for(self, now: Entry) -> bool:
        """Whether the entry, as it is in force now, still is what it would correct."""
        return (now.id, now.conclusion) == (self.entry.id, self.entry.conclusion)


class StandingEntry(_OfEntry):
    """An entry that today's reading would not write. Accepted, it holds again; declined, it leaves its file."""

    is_new: ClassVar[bool] = False
    form: Literal["entry"] = "entry"

    def waits_in(self, now: Entry) -> bool:
        """Whether it still is to be decided, as the entry stands now."""
        return now.status is Status.IN_REVIEW

    def as_accepted(self, now: Entry, text: str) -> Entry:
        """The entry as a person keeps it, who is sure of it, in the person's own words if there are some."""
        words = {"conclusion": text} if text else {}
        return now.model_copy(update={"status": Status.ACTIVE, "confidence": 1.0, **words})


class StandingLink(_OfEntry):
    """A link that today's judgement would not make, in the line `kind` of `entry`. Declined, it is taken apart."""

    is_new: ClassVar[bool] = False
    form: Literal["link"] = "link"
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

    def as_accepted(self, now: Entry, _: str) -> Entry:
        """The entry with the link that a person keeps; it has no words of its own."""
        return now.model_copy(update={"grounds": with_kept(now.grounds, self.target)})


Suggested = Annotated[
    NewEntry | ProposedChange | ProposedFact | ProposedAlias | ProposedCorrection | StandingEntry | StandingLink,
    Discriminator("form"),
]
"""The subject of a suggestion. `entry` of a link is the entry with the link; changes, facts and aliases have none."""


class Suggestion(Value):
    """A suggestion that waits for a person.

    `form` is `new`, `change`, `fact`, `alias`, `correction`, `entry` or `link`; `entry_id` names the entry of the last
    three, and the line that a change is about. `text` is what would be written or what stands, `quote` the owner's
    words, `date` when they were said. `kind` is that of the entry, of a change the agent and the operation, of a fact
    such as `fact world`; `source` of a fact is its file and line. `reason` tells why it waits, such as `below_the_line`
    or `routine`. `confidence` is 0 to 1, and nothing for a change, a fact or an alias. `project` is the name of that in
    which the words were said, empty where none is known.
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
    confidence: float | None
    source: Source
    reason: str
    project: str = ""


class AcceptedEntry(Value):
    """The request of a person who accepts a suggestion. `text` is the person's own, or empty: then it stays as it was.

    `identity` makes the entry the same again (`pipeline.entries.provenance`). Without `by_person` nobody was asked.
    """

    entry: Entry
    identity: str
    text: str = ""
    by_person: bool = True


class AcceptedFact(Value):
    """The request of a person who accepts a fact of another hand. `text` is the person's own, or empty."""

    fact: Fact
    identity: str
    text: str = ""


def suggestion_id(identity: str) -> str:
    """The id of a suggestion: the same for the same identity, whichever run makes it."""
    return hashlib.sha256(identity.encode()).hexdigest()[:ID_LENGTH]
