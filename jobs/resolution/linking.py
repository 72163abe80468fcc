"""The links of a new entry to the others, whichever of them were written first."""

from collections.abc import Iterable
from datetime import datetime

from jobs.resolution.relation import SHARED, Relation, relation, statement, verbatim
from jobs.resolution.similarity import Weights, features
from pipeline.entries.standing import fold
from schemas.entry import Entry, Status

__all__ = ["Timeline", "statement"]


class Timeline:
    """All entries and how they stand, as far as this run has come."""

    def __init__(self, entries: Iterable[Entry], weights: Weights) -> None:
        """`entries` are those of the files that verify; the drafts of the run are added one by one."""
        states = fold(entries).states
        self._weights = weights
        self._entries = {entry_id: state.entry for entry_id, state in states.items()}
        self._status = {entry_id: state.status for entry_id, state in states.items()}
        self._again = {entry_id: set(state.reinforced_by) for entry_id, state in states.items()}

    def add(self, entry: Entry) -> None:
        """Takes note of a drafted entry and of what it replaces."""
        self._entries[entry.id] = entry
        self._status[entry.id] = entry.status
        self._again[entry.id] = set()
        for repeated in entry.reinforces:
            self._again[repeated].add(entry.id)
        for replaced in entry.supersedes:
            self._status[replaced] = Status.SUPERSEDED

    def linked(self, entry: Entry) -> Entry:
        """`entry` with its links; a link always goes from the later message to the earlier one.

        When a later entry already replaces this one, which is then written late, its status is superseded.
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
        """The entries with enough words in common or all the same ones, the most alike first."""
        ours, words = features(statement(entry)), verbatim(entry)
        near = [
            (self._weights.likeness(statement(entry), statement(other)).cosine, other)
            for other in self._entries.values()
            if len(ours & features(statement(other))) >= SHARED - 1 or (words and words == verbatim(other))
        ]
        return [other for _, other in sorted(near, key=lambda pair: (-pair[0], pair[1].date, pair[1].id))]

    def _backward(self, entry: Entry, earlier: Iterable[Entry]) -> dict[str, tuple[str, ...]]:
        for other in earlier:
            between = self._relation(entry, other)
            if between is Relation.REPLACES:
                return {"supersedes": self._together(other, entry.date)}
            if between is Relation.REPEATS and other.source.session_id != entry.source.session_id:
                return {"reinforces": (other.id,)}
        return {}

    def _together(self, replaced: Entry, before: datetime) -> tuple[str, ...]:
        """`replaced` and the entries that it reinforces or that reinforce it: they hold or fall together."""
        group = {replaced.id}
        # By the fold, and not by the links in the entries: a link of an unverified entry does not count.
        pairs = [(target, other) for target, again in self._again.items() for other in again]
        grown = True
        while grown:
            linked = {entry_id for pair in pairs if group.intersection(pair) for entry_id in pair}
            added = {linked_id for linked_id in linked - group if self._holds(linked_id, before)}
            grown = bool(added)
            group |= added
        return (replaced.id, *sorted(group - {replaced.id}))

    def _holds(self, entry_id: str, before: datetime) -> bool:
        return self._entries[entry_id].date < before and self._status[entry_id] is Status.ACTIVE

    def _relation(self, later: Entry, earlier: Entry) -> Relation | None:
        return relation(later, earlier, self._weights)
