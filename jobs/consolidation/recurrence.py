"""On which days a wrap-up comes back to something."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import date

from jobs.consolidation.inputs import WrapUpLine
from jobs.resolution.similarity import Weights, features

COMMON = 200
"""Lines that may hold a word before it is too common to lead from an entry to a line."""

SHARED = 3
"""Words that an entry and a line must have in common."""

ALIKE = 0.25
"""The cosine from which a line is about an entry."""


class Recurrence:
    """The lines of all wrap-ups, found by their words."""

    def __init__(self, bullets: Sequence[WrapUpLine], statements: Iterable[str]) -> None:
        """`statements` are what the entries say: with the lines they tell how much a word tells."""
        self._bullets = bullets
        self._holders: dict[str, list[int]] = defaultdict(list)
        for place, bullet in enumerate(bullets):
            for feature in features(bullet.text):
                self._holders[feature].append(place)
        self._weights = Weights([*(bullet.text for bullet in bullets), *statements]) if bullets else Weights(())

    def days(self, statement: str, after: date) -> set[date]:
        """The days after `after` whose wrap-up is about what `statement` says."""
        groups = (self._holders.get(feature, ()) for feature in features(statement))
        shared = Counter(place for group in groups if len(group) <= COMMON for place in group)
        candidates = (self._bullets[place] for place, count in shared.items() if count >= SHARED)
        return {bullet.day for bullet in candidates if bullet.day > after and self._about(bullet.text, statement)}

    def _about(self, line: str, statement: str) -> bool:
        likeness = self._weights.likeness(line, statement)
        return likeness.shared >= SHARED and likeness.cosine >= ALIKE
