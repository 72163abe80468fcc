"""The ports of the index: small Protocols for stores, embedders and rerankers, each with one contract suite.

There are two stores. That of words is the record of what is in the index; that of vectors has one vector for each text
that was embedded, under a key, and nothing else. Reading and writing are Protocols of their own: a searcher cannot
write.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

Vector = Sequence[float]


@dataclass(frozen=True, slots=True)
class IndexPoint:
    """One record of the index. `id` is any short text; `payload` holds JSON values.

    `terms` are texts by the name of their field: terms with a blank between two, repeated as often as they occur. They
    are searched and never read back: a point that was read has none.
    """

    id: str
    payload: Mapping[str, Any] = field(default_factory=dict)
    terms: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Where:
    """Which points are meant: those that satisfy every condition. Only fields of the `IndexLayout` may be named.

    `any_of` names a keyword field and its values (a field may hold a list: one of it is enough); `between` names an
    integer field and its first and last value, both inside, `None` being open. A point without the field satisfies
    neither, and none satisfies an `any_of` without values.
    """

    any_of: Mapping[str, Sequence[str]] = field(default_factory=dict)
    between: Mapping[str, tuple[int | None, int | None]] = field(default_factory=dict)


EVERYTHING = Where()


@dataclass(frozen=True, slots=True)
class Leg:
    """One part of a score: the terms of a `field` that are asked for, by weight, and the weight of the part itself.

    An `exact` part names a keyword field, and the score of each of its values is its weight, which is above 0.
    """

    field: str
    terms: Mapping[str, float]
    weight: float = 1.0
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """A search for points. `limit` is how many points come back, best first.

    A point's score is the weighted sum of the BM25 scores of its fields. A point with none of the terms is no hit.
    """

    legs: Sequence[Leg]
    limit: int
    where: Where = EVERYTHING


@dataclass(frozen=True, slots=True)
class Scored:
    """A point that was found. Equal scores are in the order of their ids."""

    id: str
    score: float
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class IndexLayout:
    """The layout of an index: `texts` are the fields of terms, `keywords` and `integers` those that are filtered by."""

    texts: tuple[str, ...]
    keywords: tuple[str, ...]
    integers: tuple[str, ...] = ()


class Searcher(Protocol):
    """Reads an index as it was when it was opened, whatever is written meanwhile."""

    def search(self, query: Query) -> list[Scored]:
        """The best points."""

    def size(self) -> int:
        """The number of points of all sorts."""

    def count(self, where: Where) -> int:
        """The number of points that are meant."""

    def retrieve(self, ids: Collection[str]) -> list[IndexPoint]:
        """The points with these ids that there are, in any order."""

    def scroll(self, where: Where) -> Iterator[IndexPoint]:
        """Every point that is meant, in any order."""


class RankedSearcher(Searcher, Protocol):
    """A searcher that also ranks points without reading them: hundreds of them take no longer than a few that are read.

    It is for points whose ids have at most 8 bytes in UTF-8.
    """

    def rank_points(self, query: Query) -> list[tuple[str, float]]:
        """The ids of the best points with their scores, the best first; which equals come last is left open."""

    def frequency(self, field: str, term: str) -> int:
        """The number of points that have a term in a field, as the scores count it."""

    def numbers(self, field: str, where: Where) -> list[int]:
        """The numbers in an integer field of the points that are meant, in any order; no point is read for it."""


class Indexer(Protocol):
    """Writes an index. Nothing of it is seen, or lasts, before the block that gave it ends; then all of it does."""

    def insert(self, points: Sequence[IndexPoint]) -> None:
        """Put points in whose ids no other point has: however many there are, nothing is remembered of them."""

    def upsert(self, points: Sequence[IndexPoint]) -> None:
        """Put points in, whole, in place of those with the same ids."""

    def delete(self, ids: Collection[str]) -> None:
        """Take points out; ids that are not there are passed over."""


class IndexStore(Protocol):
    """The store of words. Readers never wait, and never hinder a writer; there is one writer at a time.

    Every one of them may raise:
        IndexUnavailable: the index is damaged.
        WriteFailed: the system refuses to write its folder.
        Held: another writer did not end in time.
    """

    @property
    def name(self) -> str:
        """The engine and its version: part of the index's identity."""

    def reading(self) -> AbstractContextManager[RankedSearcher | None]:
        """The index for a query or a few; `None` when there is none yet."""

    def version(self) -> bytes:
        """The version of the index: another one after each change; empty where there is none, or it is not known."""

    def writing(self) -> AbstractContextManager[Indexer]:
        """The index for one change; there has to be one. When the block ends with an error, nothing is changed."""

    def building(self) -> AbstractContextManager[Indexer]:
        """A new index, empty at first, which takes the place of the one there is when the block ends.

        When the block ends with an error, the old one stays and nothing of the new one is left.
        """

    def tidy(self) -> None:
        """Remove what killed builds left."""

    def drop(self) -> None:
        """Remove the index, if there is one."""


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """The vectors that can be compared: those of one embedder, by its name, with so many numbers."""

    embedder: str
    dimension: int


class VectorSearcher(Protocol):
    """Reads vectors. Keys are 32 hexadecimal digits in lower case."""

    def nearest(self, vector: Vector, limit: int, among: Collection[str] | None = None) -> list[tuple[str, float]]:
        """The keys of the nearest vectors and their cosine, the nearest first and equals by key; `among` keys alone."""

    def vectors(self, keys: Collection[str]) -> dict[str, Vector]:
        """The vectors with these keys that there are; of length 1, as far as 16-bit numbers can tell."""

    def known_keys(self, keys: Collection[str]) -> set[str]:
        """The keys, of these, that have a vector."""

    def keys(self) -> Iterator[str]:
        """All keys, in any order. The vectors must not be written meanwhile."""

    def size(self) -> int:
        """The number of vectors; on a server it may be approximate."""


class VectorIndexer(VectorSearcher, Protocol):
    """Writes vectors. What has returned outlasts the death of the process."""

    def put_vectors(self, vectors: Mapping[str, Vector]) -> None:
        """Put vectors in, in place of those with the same keys."""

    def delete(self, keys: Collection[str]) -> None:
        """Take vectors out; keys that are not there are passed over."""


class VectorStore(Protocol):
    """The store of vectors, of one space at a time. Each way in waits its turn for a bounded time.

    Every one of them may raise:
        IndexUnavailable: the vectors are damaged, or their server does not answer.
        WriteFailed: the system refuses to write their folder.
        Held: others did not let them go in time.
    """

    @property
    def name(self) -> str:
        """The engine and its version."""

    def reading(self, space: VectorSpace) -> AbstractContextManager[VectorSearcher | None]:
        """The vectors of a space for a query or a few; `None` when there are none of this space."""

    def writing(self, space: VectorSpace) -> AbstractContextManager[VectorIndexer]:
        """The vectors of a space for one short batch; without any of this space, an empty store of it is begun.

        What there was of another space is removed then.
        """

    def building(self, space: VectorSpace) -> AbstractContextManager[VectorIndexer]:
        """New vectors beside those there are, which are read meanwhile; they take their place when the block ends.

        When the block ends with an error, the old ones stay and nothing of the new ones is left.
        """

    def settle(self) -> None:
        """Make them fast to search and small: worth it after many changes, and may take long."""

    def drop(self) -> None:
        """Remove all vectors, if there are any."""


class Embedder(Protocol):
    """Turns text into vectors whose cosine is the similarity in meaning of two texts."""

    @property
    def name(self) -> str:
        """Its identity: two that give other vectors have other names."""

    @property
    def dimension(self) -> int:
        """The length of its vectors."""

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """A vector of length 1 for each text, in order; any text will do, an empty one too.

        Raises:
            EmbedderUnavailable: it cannot be had, or its server does not answer.
        """

    def question(self, text: str) -> Vector:
        """The vector of a question, of length 1.

        Raises:
            EmbedderUnavailable: it cannot be had, or its server does not answer.
        """


class Reranker(Protocol):
    """Judges how well texts answer a question, slower and better than vectors do."""

    @property
    def name(self) -> str:
        """Which one it is."""

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """A score for each text, in order; higher is better, and only the order counts.

        Raises:
            EmbedderUnavailable: it cannot be had.
        """
