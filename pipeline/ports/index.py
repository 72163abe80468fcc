"""The ports of the index: small Protocols for stores, embedders and rerankers, each with one contract suite.

Reading and writing are two Protocols, so that a searcher cannot write.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

DENSE = "dense"
"""The name of the one dense vector of a point."""

Vector = Sequence[float]


@dataclass(frozen=True, slots=True)
class SparseVector:
    """Weights by term: `indices` are ids of terms, 32 bit and each one once; `values` their weights."""

    indices: Sequence[int]
    values: Sequence[float]


@dataclass(frozen=True, slots=True)
class IndexPoint:
    """One record of the index. `id` is a UUID as text; `payload` holds JSON values; a point need not have vectors.

    `sparse` and `dense` are left empty in points that were read without their vectors.
    """

    id: str
    payload: Mapping[str, Any] = field(default_factory=dict)
    sparse: Mapping[str, SparseVector] = field(default_factory=dict)
    dense: Vector | None = None


@dataclass(frozen=True, slots=True)
class Where:
    """Which points are meant: those that satisfy every condition. Only fields of the `IndexLayout` may be named.

    `any_of` names a keyword field and its values (a field may hold a list: one of it is enough); `between` names an
    integer field and its first and last value, both inside, `None` being open. A point without the field satisfies
    neither.
    """

    any_of: Mapping[str, Sequence[str]] = field(default_factory=dict)
    between: Mapping[str, tuple[int | None, int | None]] = field(default_factory=dict)


EVERYTHING = Where()


@dataclass(frozen=True, slots=True)
class Leg:
    """One of the rankings that are fused: by the vector called `vector`, its `limit` best, with a `weight`."""

    vector: str
    value: SparseVector | Vector
    limit: int
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Query:
    """What is searched for. `limit` is how many points come back, best first.

    The legs are fused by the weighted sum of their scores, a point that a leg did not bring counting as 0. Only
    `fields` of the payload are read, when they are given.
    """

    legs: Sequence[Leg]
    limit: int
    where: Where = EVERYTHING
    fields: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    """A point that was found. Equal scores are in the order of their ids."""

    id: str
    score: float
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class IndexLayout:
    """The layout of an index.

    `dimension` is the length of its dense vectors, 0 for none; `sparse` names its sparse vectors, which the engine
    weighs by inverse document frequency; `keywords` and `integers` are the fields of the payload that are filtered by.
    """

    dimension: int
    sparse: tuple[str, ...]
    keywords: tuple[str, ...]
    integers: tuple[str, ...] = ()


class Searcher(Protocol):
    """Reads an index."""

    def search(self, query: Query) -> list[Scored]:
        """The best points."""

    def size(self) -> int:
        """The number of points of all sorts; on a server it may be approximate."""

    def retrieve(self, ids: Sequence[str], *, vectors: bool = False) -> list[IndexPoint]:
        """The points with these ids that there are, in any order; with `vectors`, also their dense vectors."""

    def scroll(self, where: Where, *, fields: Sequence[str] = (), vectors: bool = False) -> Iterator[IndexPoint]:
        """Every point that is meant, in any order; `fields` of the payload only, or the whole of it without them.

        The index must not be written while it is read so.
        """


class Indexer(Searcher, Protocol):
    """Writes an index. What has returned outlasts the death of the process."""

    def upsert(self, points: Sequence[IndexPoint]) -> None:
        """Put points in, whole, in place of those with the same ids."""

    def delete(self, ids: Sequence[str]) -> None:
        """Take points out; ids that are not there are passed over."""

    def set_payload(self, changes: Mapping[str, Mapping[str, Any]]) -> None:
        """Set fields of points that are there, by id, and leave their other fields; `None` takes a field away."""

    def set_dense(self, vectors: Mapping[str, Vector]) -> None:
        """Give points that are there their dense vectors, by id."""


class IndexStore(Protocol):
    """Where an index lives. Each way in waits its turn for a bounded time.

    Every one of them may raise:
        IndexUnavailable: the index is damaged, or its server does not answer.
        WriteFailed: the system refuses to write its folder.
        Held: others did not let it go in time.
    """

    @property
    def name(self) -> str:
        """The engine and its version: part of the index's identity."""

    def reading(self) -> AbstractContextManager[Searcher | None]:
        """The index for a query or a few; `None` when there is none yet."""

    def writing(self) -> AbstractContextManager[Indexer]:
        """The index for one short batch; there has to be one."""

    def building(self, layout: IndexLayout) -> AbstractContextManager[Indexer]:
        """A new index beside the one there is, which is read meanwhile; it takes that one's place when the block ends.

        When the block ends with an error, the old one stays and nothing of the new one is left.
        """

    def settle(self) -> None:
        """Make it fast to search and small: worth it after many changes, and may take long."""

    def drop(self) -> None:
        """Remove the index, if there is one."""


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
