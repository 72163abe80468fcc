"""Vectors in memory: plain Python, exact, for some thousands of them. It stores nothing and does not block."""

import math
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from pipeline.errors import PipelineError
from pipeline.ports.index import Vector, VectorIndexer, VectorSearcher, VectorSpace

_KEY = re.compile("[0-9a-f]{32}")


@dataclass
class MemoryVectors:
    """`pipeline.ports.index.VectorStore` in a dictionary. `failing`, when it is set, is raised by each way in."""

    failing: PipelineError | None = None
    settled: int = 0
    _live: "_Vectors | None" = None

    @property
    def name(self) -> str:
        """`memory`."""
        return "memory"

    @contextmanager
    def reading(self, space: VectorSpace) -> Iterator[VectorSearcher | None]:
        """The vectors of a space, `None` when there are none of it."""
        self._enter()
        yield self._live if self._live and self._live.space == space else None

    @contextmanager
    def writing(self, space: VectorSpace) -> Iterator[VectorIndexer]:
        """The vectors of a space; without any, an empty store of it takes the place of what there is."""
        self._enter()
        if self._live is None or self._live.space != space:
            self._live = _Vectors(space)
        yield self._live

    @contextmanager
    def building(self, space: VectorSpace) -> Iterator[VectorIndexer]:
        """New vectors, which take the place of the old ones when the block ends well."""
        self._enter()
        built = _Vectors(space)
        yield built
        self._live = built

    def settle(self) -> None:
        """Nothing; `settled` counts how often."""
        self._enter()
        self.settled += 1

    def drop(self) -> None:
        """Forget all vectors."""
        self._enter()
        self._live = None

    def _enter(self) -> None:
        if self.failing:
            raise self.failing


@dataclass
class _Vectors:
    space: VectorSpace
    by_key: dict[str, list[float]] = field(default_factory=dict)

    def nearest(self, vector: Vector, limit: int, among: Collection[str] | None = None) -> list[tuple[str, float]]:
        """The nearest vectors."""
        meant = self.by_key if among is None else self.known_keys(among)
        hits = ((key, _cosine(vector, self.by_key[key])) for key in meant)
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))[:limit]

    def vectors(self, keys: Collection[str]) -> dict[str, Vector]:
        """The vectors there are."""
        return {key: [*self.by_key[key]] for key in keys if key in self.by_key}

    def known_keys(self, keys: Collection[str]) -> set[str]:
        """The keys there are."""
        return self.by_key.keys() & {*keys}

    def keys(self) -> Iterator[str]:
        """All keys."""
        yield from self.by_key

    def size(self) -> int:
        """How many vectors there are."""
        return len(self.by_key)

    def put_vectors(self, vectors: Mapping[str, Vector]) -> None:
        """Put vectors in.

        Raises:
            ValueError: a key is no key, or a vector has another length than those of the space.
        """
        for key, vector in vectors.items():
            if not _KEY.fullmatch(key) or len(vector) != self.space.dimension:
                message = f"{key} with {len(vector)} numbers is no vector of {self.space}"
                raise ValueError(message)
            self.by_key[key] = [*vector]

    def delete(self, keys: Collection[str]) -> None:
        """Take vectors out."""
        for key in keys:
            self.by_key.pop(key, None)


def _cosine(one: Vector, other: Vector) -> float:
    lengths = math.hypot(*one) * math.hypot(*other)
    return sum(a * b for a, b in zip(one, other, strict=True)) / lengths if lengths else 0.0
