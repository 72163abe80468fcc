"""How a new entry stands to the ones before it: does it say one of them again, or take its place?

Offline and without a model, so it is careful: a wrong link hides a rule that holds, a missed one only leaves two lines.
"""

import re
from collections.abc import Iterable
from datetime import datetime
from enum import Enum

from jobs.resolution.comparison import Likeness, Weights, features
from jobs.resolution.wording import denies, quantities, repeats, replaces
from pipeline.state import fold
from schemas.entry import Entry, Kind, Status, Trust

SHARED = 3
"""Words that two texts must have in common to be about one thing; one less will do when they are short."""

RELATED = 0.12
"""The cosine from which a text that announces a replacement may mean the other."""

SAME_MATTER = 0.25
"""The cosine from which a changed value or an agreement counts."""

SAME_WORDS = 0.6
"""The cosine from which two texts say nearly the same."""

_CLAUSE = re.compile(r"[.;,()\n\u3001\u3002\uff08\uff09\uff0c\uff1b]+")


class Relation(Enum):
    """What a later entry does to an earlier one."""

    REPLACES = "replaces"
    REPEATS = "repeats"


def statement(entry: Entry) -> str:
    """The words of an entry that say what holds."""
    return f"{entry.title}\n{entry.quote}\n{entry.conclusion}"


def relation(later: Entry, earlier: Entry, weights: Weights) -> Relation | None:
    """What `later` does to `earlier`; `None` when that cannot be told with confidence."""
    likeness = weights.likeness(statement(later), statement(earlier))
    if not _comparable(later, earlier) or not _related(likeness):
        return None
    if likeness.shared >= SHARED and _announces(later, earlier):
        return Relation.REPLACES
    if likeness.cosine < SAME_MATTER:
        return None
    if _changes(later, earlier) or _turns(later, earlier, likeness):
        return Relation.REPLACES
    return Relation.REPEATS if _agrees(later, earlier, likeness) else None


def _related(likeness: Likeness) -> bool:
    """Whether two texts are about one thing: three words in common, or two that make up much of both."""
    enough = likeness.shared >= SHARED and likeness.cosine >= RELATED
    return enough or (likeness.shared == SHARED - 1 and likeness.cosine >= SAME_MATTER)


def _comparable(later: Entry, earlier: Entry) -> bool:
    """A fact to remember does not replace what was decided, nor the other way round."""
    return (later.kind is Kind.REMEMBER) == (earlier.kind is Kind.REMEMBER)


def _announces(later: Entry, earlier: Entry) -> bool:
    """Whether the owner says that something is replaced, or the conclusion says so about what the two share."""
    if replaces(later.quote):
        return True
    known = features(statement(earlier))
    clauses = _CLAUSE.split(f"{later.title}\n{later.conclusion}")
    return any(replaces(clause) and len(features(clause) & known) > 1 for clause in clauses)


def _changes(later: Entry, earlier: Entry) -> bool:
    """Whether the owner names another value for a unit that the earlier entry has a value for."""
    before, now = quantities(statement(earlier)), quantities(later.quote)
    return any(not values & before[unit] for unit, values in now.items() if unit in before)


def _turns(later: Entry, earlier: Entry, likeness: Likeness) -> bool:
    """Whether nearly the same words are said, one time with and one time without a denial."""
    if likeness.cosine < SAME_WORDS or repeats(later.quote):
        return False
    return denies(statement(later)) != denies(statement(earlier))


def _agrees(later: Entry, earlier: Entry, likeness: Likeness) -> bool:
    """Whether something besides the subject is the same."""
    if likeness.cosine >= SAME_WORDS or repeats(later.quote):
        return True
    before, now = quantities(statement(earlier)), quantities(statement(later))
    if any(values & before.get(unit, frozenset()) for unit, values in now.items()):
        return True
    forbid = later.kind is earlier.kind is Kind.RULE and denies(later.quote) and denies(earlier.quote)
    return forbid and likeness.shared >= SHARED


class Timeline:
    """All entries and how they stand, as far as this run has come."""

    def __init__(self, entries: Iterable[Entry], weights: Weights) -> None:
        """`entries` are those in the files; the drafts of the run are added one by one."""
        states = fold(entries).states
        self._weights = weights
        self._entries = {entry_id: state.entry for entry_id, state in states.items()}
        self._status = {entry_id: state.status for entry_id, state in states.items()}

    def add(self, entry: Entry) -> None:
        """Takes note of a drafted entry and of what it replaces."""
        self._entries[entry.id] = entry
        self._status[entry.id] = entry.status
        for replaced in entry.supersedes:
            self._status[replaced] = Status.SUPERSEDED

    def linked(self, entry: Entry) -> Entry:
        """`entry` with its links; a link always goes from the later message to the earlier one.

        When a later entry already takes the place of this one, which is then written late, it says so.
        """
        near = self._near(entry)
        earlier = [other for other in near if other.date < entry.date and self._status[other.id] is Status.ACTIVE]
        later = [other for other in near if other.date > entry.date and self._status[other.id] is not Status.ARCHIVED]
        links: dict[str, object] = dict(self._backward(entry, earlier))
        successor = next((other for other in later if self._relation(other, entry) is Relation.REPLACES), None)
        if successor is not None:
            links |= {"status": Status.SUPERSEDED, "superseded_by": (successor.id,)}
        return entry.model_copy(update=links)

    def _near(self, entry: Entry) -> list[Entry]:
        """The verified entries with enough words in common, the most alike first."""
        ours = features(statement(entry))
        near = [
            (self._weights.likeness(statement(entry), statement(other)).cosine, other)
            for other in self._entries.values()
            if other.trust is not Trust.UNVERIFIED and len(ours & features(statement(other))) >= SHARED - 1
        ]
        return [other for _, other in sorted(near, key=lambda pair: (-pair[0], pair[1].date, pair[1].id))]

    def _backward(self, entry: Entry, earlier: Iterable[Entry]) -> dict[str, tuple[str, ...]]:
        for other in earlier:
            found = self._relation(entry, other)
            if found is Relation.REPLACES:
                return {"supersedes": self._together(other, entry.date)}
            if found is Relation.REPEATS and other.source.session_id != entry.source.session_id:
                return {"reinforces": (other.id,)}
        return {}

    def _together(self, replaced: Entry, before: datetime) -> tuple[str, ...]:
        """`replaced` and what says the same again or is said again by it: they hold or fall together."""
        group = {replaced.id}
        standing = [
            other for other in self._entries.values() if other.date < before and self._status[other.id] is Status.ACTIVE
        ]
        grown = True
        while grown:
            said_again = {target for other in standing if other.id in group for target in other.reinforces}
            found = {other.id for other in standing if other.id in said_again or group.intersection(other.reinforces)}
            grown = not found <= group
            group |= found
        return (replaced.id, *sorted(group - {replaced.id}))

    def _relation(self, later: Entry, earlier: Entry) -> Relation | None:
        return relation(later, earlier, self._weights)
