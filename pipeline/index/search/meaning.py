"""The passages that are nearest in meaning to a question."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from pipeline.errors import IndexUnavailable, WriteFailed
from pipeline.index.schema import CONTENT
from pipeline.ports.index import Scored, Searcher, Vector, VectorSearcher, Where

FEW = 1_024
"""Up to how many passages in scope their own vectors alone are compared; of more, the nearest of all are taken."""
MOST = 4_096
"""The most vectors that are asked for, so that enough of them are in a narrow scope."""


@dataclass
class Meaning:
    """A question's vector, and the vectors that it is compared with.

    Where these fail, `problem` says why, and words go on alone.
    """

    searcher: Searcher
    vectors: VectorSearcher
    question: Vector
    problem: str = ""

    def within(self, where: Where, limit: int) -> list[Scored]:
        """The nearest passages that are meant, and their cosine."""
        nearest = dict(self._nearest(where, limit))
        if not nearest:
            return []
        meant = replace(where, any_of={**where.any_of, CONTENT: tuple(nearest)})
        passages = (
            Scored(point.id, nearest[point.payload[CONTENT]], point.payload) for point in self.searcher.scroll(meant)
        )
        return sorted(passages, key=lambda scored: (-scored.score, scored.id))[:limit]

    def known(self, keys: Collection[str]) -> set[str]:
        """Those of the keys that have a vector."""
        try:
            return self.vectors.known(keys)
        except (IndexUnavailable, WriteFailed) as error:
            self.problem = str(error)
            return set()

    def _nearest(self, where: Where, limit: int) -> list[tuple[str, float]]:
        meant = self.searcher.count(where)
        keys = {point.payload[CONTENT] for point in self.searcher.scroll(where)} if meant <= FEW else None
        try:
            share = 1.0 if keys is not None else 2 * max(self.vectors.size() / meant, 1.0)
            return self.vectors.nearest(self.question, min(round(limit * share), MOST), keys)
        except (IndexUnavailable, WriteFailed) as error:
            self.problem = str(error)
            return []
