"""The days whose wrap-ups come back to an entry."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import date

from jobs.consolidation.inputs import WrapUpLine
from jobs.resolution.similarity import Weights, features

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
        return {bullet.day for bullet in candidates if bullet.day > after and self._about(bullet.text, statement)}

    def _about(self, line: str, statement: str) -> bool:
        likeness = self._weights.likeness(line, statement)
        return likeness.shared >= SHARED and likeness.cosine >= ALIKE
