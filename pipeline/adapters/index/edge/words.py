"""Our words in those of Qdrant Edge, and back.

All keyword fields of a point share one index of the engine, that of the field `MARKS`: each value stands there as
`field=value`. Every index is a dozen files that each opening maps and each closing flushes: with ten of them an index
of 1,700 points took 85 ms to open and 23 to close, with one 44 and 13.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar
from uuid import UUID

import qdrant_edge as edge

from pipeline.adapters.index.qdrant import canonical
from pipeline.ports.index import DENSE, IndexLayout, IndexPoint, Leg, Query, Scored, SparseVector, Where

Number = TypeVar("Number", int, float)

MARKS = "_marks"

_MEMORY = edge.Memory.Cold
"""Nothing is read before a question needs it. Most openings are for one question, or for none: with 5,400 passages they
take 35 ms instead of 60."""
_SETTLED_KB = 100
"""From this size of vectors on a segment is made compact when it settles, which is some 100 points of 256 dimensions.

Compact, 5,400 passages take 60 ms to open instead of 120, and 17,000 points 130 instead of 210. To make them compact
takes 0.6 s, once for each index that is built.
"""
_THREADS = 2  # each opening starts them, and there are few segments to search side by side

NOTHING = edge.UpdateOperation.delete_points([str(UUID(int=0))])
"""A change that changes nothing: no point has this id."""


def configuration(layout: IndexLayout) -> edge.EdgeConfig:
    """Of a new shard."""
    dense = edge.EdgeVectorParams(size=layout.dimension, distance=edge.Distance.Cosine, memory=_MEMORY)
    sparse = edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf, memory=_MEMORY)
    return edge.EdgeConfig(
        vectors={DENSE: dense} if layout.dimension else None,
        sparse_vectors=dict.fromkeys(layout.sparse, sparse),
        # No graph: at 17,000 points it makes settling take 11 s instead of 2, and a question no faster than 9 ms.
        hnsw_config=edge.HnswIndexConfig(m=0, ef_construct=100, full_scan_threshold=10_000),
        optimizers=edge.EdgeOptimizersConfig(default_segment_number=1, indexing_threshold=_SETTLED_KB),
        max_search_threads=_THREADS,
    )


def field_indexes(layout: IndexLayout) -> list[edge.UpdateOperation]:
    """The operation that makes a new shard's fields ready to filter by."""
    integer = edge.IntegerIndexParams(lookup=False, range=True, memory=_MEMORY)  # they are only compared
    create = edge.UpdateOperation.create_field_index
    return [
        create(MARKS, edge.KeywordIndexParams(memory=_MEMORY)),
        *(create(name, integer) for name in layout.integers),
    ]


def marks(payload: Mapping[str, Any], keywords: Iterable[str]) -> list[str]:
    """The value of `MARKS` for a payload."""
    return [f"{name}={value}" for name in keywords for value in _texts(payload.get(name))]


def record(point: IndexPoint, keywords: Iterable[str]) -> edge.Point:
    """A point to be put in."""
    vectors: dict[str, Any] = {name: _sparse(value) for name, value in point.sparse.items() if value.indices}
    if point.dense is not None:
        vectors[DENSE] = _listed(point.dense)
    return edge.Point(canonical(point.id), vectors, {**point.payload, MARKS: marks(point.payload, keywords)})


def point(record: edge.Record) -> IndexPoint:
    """A point that was read, with its dense vector when that was read too."""
    vectors: dict[str, Any] = record.vector if isinstance(record.vector, dict) else {}
    return IndexPoint(str(record.id), _payload(record.payload), dense=vectors.get(DENSE))


def scored(hit: edge.ScoredPoint) -> Scored:
    """A point that was found."""
    return Scored(str(hit.id), hit.score, _payload(hit.payload))


def condition(where: Where) -> edge.Filter | None:
    """The engine's filter, `None` when everything is meant."""
    must = [_any(name, values) for name, values in where.any_of.items()]
    must += [edge.FieldCondition(name, range=_range(*bounds)) for name, bounds in where.between.items()]
    return edge.Filter(must=[*must]) if must else None


def request(legs: Sequence[Leg], query: Query, limit: int) -> edge.QueryRequest:
    """A query for `limit` points: each leg fetches its own, and the engine fuses them."""
    meant = condition(query.where)
    prefetches = [
        edge.Prefetch(limit=leg.limit, query=edge.Query.Nearest(_value(leg), using=leg.vector), filter=meant)
        for leg in legs
    ]
    wanted = True if query.fields is None else [*query.fields] or False
    return edge.QueryRequest(limit=limit, query=_fused(legs), prefetches=prefetches, with_payload=wanted)


def _fused(legs: Sequence[Leg]) -> edge.Formula:
    """Without a score a leg counts as 0."""
    names = [f"$score[{place}]" for place in range(len(legs))]
    product, number, variable = edge.Expression.Mult, edge.Expression.Constant, edge.Expression.Variable
    terms = [product([number(leg.weight), variable(name)]) for leg, name in zip(legs, names, strict=True)]
    return edge.Formula(edge.Expression.Sum(terms), defaults=dict.fromkeys(names, 0.0))


def _any(name: str, values: Sequence[str]) -> edge.FieldCondition:
    return edge.FieldCondition(MARKS, match=edge.MatchAny([f"{name}={value}" for value in values]))


def _range(first: int | None, last: int | None) -> edge.RangeFloat:
    """A range that is open on both sides would match nothing."""
    return edge.RangeFloat(gte=float("-inf") if first is None else first, lte=last)


def _value(leg: Leg) -> Any:  # noqa: ANN401 - a list, or the engine's own
    return _sparse(leg.value) if isinstance(leg.value, SparseVector) else list(leg.value)


def _sparse(vector: SparseVector) -> edge.SparseVector:
    return edge.SparseVector(_listed(vector.indices), _listed(vector.values))


def _listed(numbers: Sequence[Number]) -> list[Number]:
    """The engine takes lists alone; to copy them all is a tenth of putting points in."""
    return numbers if isinstance(numbers, list) else list(numbers)


def _texts(value: object) -> list[str]:
    return [value] if isinstance(value, str) else value if isinstance(value, list) else []


def _payload(payload: dict[str, Any] | None) -> dict[str, Any]:
    """The payload without our own field."""
    fields = payload or {}
    fields.pop(MARKS, None)
    return fields
