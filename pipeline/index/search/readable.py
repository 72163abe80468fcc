"""The index as somebody may read it: without the points of files that are not theirs to see."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pipeline.index.schema import PATH
from pipeline.ports.index import IndexPoint, Query, Scored, Searcher, Where

_MORE = 4


@dataclass(frozen=True)
class ReadableSearcher:
    """`pipeline.ports.index.Searcher` over another one. `readable` says of a path whether it may be seen.

    Sizes and counts are those of the whole index: they only weigh.
    """

    inner: Searcher
    readable: Callable[[str], bool]

    def search(self, query: Query) -> list[Scored]:
        """The best points; those of others take no place of them."""
        limit = query.limit
        while True:
            asked = self.inner.search(replace(query, limit=limit))
            hits = [one for one in asked if self._shows(one.payload)]
            if len(hits) >= query.limit or len(asked) < limit:
                return hits[: query.limit]
            limit *= _MORE

    def size(self) -> int:
        """The number of all points."""
        return self.inner.size()

    def count(self, where: Where) -> int:
        """The number of points that are meant, those of others too."""
        return self.inner.count(where)

    def retrieve(self, ids: Collection[str]) -> list[IndexPoint]:
        """The points with these ids."""
        return [point for point in self.inner.retrieve(ids) if self._shows(point.payload)]

    def scroll(self, where: Where) -> Iterator[IndexPoint]:
        """Every point that is meant."""
        return (point for point in self.inner.scroll(where) if self._shows(point.payload))

    def _shows(self, payload: Mapping[str, Any]) -> bool:
        return self.readable(str(payload.get(PATH) or ""))
