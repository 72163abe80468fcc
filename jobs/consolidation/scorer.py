"""The score of an entry in a week, from the signals of its whole group."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta

from jobs.consolidation.inputs import Material, WrapUpLine
from jobs.consolidation.model_opinion import Opinion
from jobs.consolidation.relations import WeekStanding
from jobs.consolidation.scoring import ScoreSignals, is_passing, says_it_lasts, score
from jobs.resolution.same_thing import Weights, features
from pipeline.entries.standing import Fold
from schemas.entry import Kind, Trust

COMMON = 200
"""The most lines with a word that still leads from an entry to a line."""

SHARED = 3
"""The fewest words that an entry and a line must share."""

ALIKE = 0.25
"""The cosine from which a line is about an entry."""


class Recurrence:
    """The lines of all wrap-ups, found by their words."""

    def __init__(self, bullets: Sequence[WrapUpLine], statements: Iterable[str]) -> None:
        """`statements` are the texts of the entries; together with the lines they give the weights of words."""
        self._bullets = bullets
        self._holders: dict[str, list[int]] = defaultdict(list)
        for place, bullet in enumerate(bullets):
            for feature in features(bullet.text):
                self._holders[feature].append(place)
        self._weights = Weights([*(bullet.text for bullet in bullets), *statements]) if bullets else Weights(())

    def days(self, statement: str, after: date) -> set[date]:
        """The days after `after` whose wrap-up has a line about `statement`."""
        groups = (self._holders.get(feature, ()) for feature in features(statement))
        shared = Counter(place for group in groups if len(group) <= COMMON for place in group)
        candidates = (self._bullets[place] for place, count in shared.items() if count >= SHARED)
        days = set[date]()
        for bullet in (bullet for bullet in candidates if bullet.day > after):
            likeness = self._weights.likeness(bullet.text, statement)
            if likeness.shared >= SHARED and likeness.cosine >= ALIKE:
                days.add(bullet.day)
        return days


class Scorer:
    """Weighs entries, each with its group as far as that holds."""

    def __init__(self, material: Material, opinion: Opinion, standing: WeekStanding) -> None:
        self._material, self._opinion, self._standing = material, opinion, standing
        # Unverified entries count for nothing, not even for the weight of a word.
        self._recurrence = Recurrence(
            material.bullets, map(material.words, filter(material.is_verified, material.noted))
        )
        self._successors = frozenset(_successors(material.fold))
        self._known: dict[tuple[str, bool], tuple[ScoreSignals, float]] = {}

    def signals(self, entry_id: str) -> ScoreSignals:
        """The signals of a present entry; one that does not hold any more is weighed alone."""
        return self._weigh(entry_id)[0]

    def score(self, entry_id: str) -> float:
        """The score, from the signals and, where there is one, the opinion of a model."""
        return self._weigh(entry_id)[1]

    def _weigh(self, entry_id: str) -> tuple[ScoreSignals, float]:
        holds = self._standing.holds(entry_id)
        key = (self._standing.groups.of(entry_id) if holds else entry_id, holds)
        if key not in self._known:
            group = self._standing.together(entry_id) if holds else [entry_id]
            # Beside fully trusted entries, doubted ones add nothing: their kind, for one, could be anything.
            group = [member for member in group if member not in self._material.doubtful_ids] or group
            signals = self._gather_signals(group)
            self._known[key] = signals, score(signals)
        return self._known[key]

    def _gather_signals(self, group: Sequence[str]) -> ScoreSignals:
        """The best signals of the entries of a group, as one."""
        entries, values = [self._material.entries[entry_id] for entry_id in group], self._opinion.value
        said = {entry.date.date() for entry in entries}
        later = [day for member in group for day in self._recurrence.days(self._material.words(member), min(said))]
        returns = frozenset(later) - said
        silent = self._material.end - max(entry.date for entry in entries)
        if returns:
            silent = min(silent, self._material.last_day - max(returns) + timedelta(days=1))
        doubtful, noted = self._material.doubtful_ids, self._material.noted
        # Of an entry that may have been rewritten, the least kind. Else the confidence as it is stated, so that a
        # person's edit does not lower the score of an entry on the page.
        kinds = [Kind.DECISION if entry.id in doubtful else entry.kind for entry in entries]
        return ScoreSignals(
            kind=max(kinds, key=lambda kind: (kind is not Kind.DECISION, kind.value)),
            confidence=max(entry.confidence if entry.id in doubtful else noted[entry.id].stated for entry in entries),
            trust=min((entry.trust for entry in entries), key=list(Trust).index),
            times=len(entries),
            days=len({entry.date.date() for entry in entries}),
            returns=len(returns),
            lasting=any(map(says_it_lasts, entries)),
            replaces=not self._successors.isdisjoint(group),
            passing=all(is_passing(entry, self._material.last_day) for entry in entries),
            age=silent.days,
            value=max((values[member] for member in group if member in values), default=None),
        )


def _successors(folded: Fold) -> Iterator[str]:
    """The entries that took the place of another one; corrections are the same entry in better words."""
    for entry_id, state in folded.states.items():
        if entry_id not in folded.corrected:
            yield from map(folded.in_force, state.superseded_by)
