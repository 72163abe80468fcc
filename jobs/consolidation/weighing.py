"""What an entry is worth this week: its signals, gathered over all that say the same."""

from collections.abc import Sequence
from datetime import timedelta

from jobs.consolidation.docket import Opinion
from jobs.consolidation.material import Material
from jobs.consolidation.recurrence import Recurrence
from jobs.consolidation.scoring import KIND, Signals, says_it_lasts, score
from jobs.consolidation.ties import Standing
from schemas.entry import Trust

NO_OPINION = 0.5
"""The value of an entry on which no model was asked."""


class Scales:
    """Weighs entries, each with what says the same and holds."""

    def __init__(self, material: Material, opinion: Opinion, standing: Standing) -> None:
        self._material, self._opinion, self._standing = material, opinion, standing
        self._recurrence = Recurrence(material.bullets, map(material.words, material.entries))
        self._known: dict[tuple[str, ...], Signals] = {}

    def signals(self, entry_id: str) -> Signals:
        """The signals of an entry that is there; one that does not hold any more is weighed alone."""
        group = self._group(entry_id)
        if group not in self._known:
            self._known[group] = self._gathered(group)
        return self._known[group]

    def score(self, entry_id: str) -> float:
        """The score that follows from the signals and, where a model was asked, from its opinion."""
        values = [self._opinion.value[each] for each in self._group(entry_id) if each in self._opinion.value]
        return score(self.signals(entry_id), max(values, default=NO_OPINION))

    def _group(self, entry_id: str) -> tuple[str, ...]:
        return tuple(self._standing.together(entry_id)) if self._standing.holds(entry_id) else (entry_id,)

    def _gathered(self, group: Sequence[str]) -> Signals:
        """The best of what the entries of a group have, as one."""
        entries = [self._material.entries[entry_id] for entry_id in group]
        said = {entry.date.date() for entry in entries}
        found = [day for each in group for day in self._recurrence.days(self._material.words(each), min(said))]
        returns = frozenset(found) - said
        silent = self._material.end - max(entry.date for entry in entries)
        if returns:
            silent = min(silent, self._material.last_day - max(returns) + timedelta(days=1))
        return Signals(
            kind=max((entry.kind for entry in entries), key=lambda kind: (KIND[kind], kind.value)),
            confidence=max(entry.confidence for entry in entries),
            trust=Trust.OWNER if any(entry.trust is Trust.OWNER for entry in entries) else Trust.ACCEPTED,
            times=len(entries),
            days=len(said),
            returns=len(returns),
            lasting=any(says_it_lasts(entry.quote) for entry in entries),
            age=silent.days,
        )
