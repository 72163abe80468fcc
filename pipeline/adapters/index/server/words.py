"""Our words in those of a Qdrant server's client, and back."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from qdrant_client import models

from pipeline.adapters.index.qdrant import canonical
from pipeline.ports.index import DENSE, IndexLayout, IndexPoint, Leg, Scored, SparseVector, Where


def dense_vectors(layout: IndexLayout) -> dict[str, models.VectorParams]:
    """Of a new collection."""
    size = layout.dimension
    return {DENSE: models.VectorParams(size=size, distance=models.Distance.COSINE)} if size else {}


def sparse_vectors(layout: IndexLayout) -> dict[str, models.SparseVectorParams]:
    """Of a new collection."""
    return {name: models.SparseVectorParams(modifier=models.Modifier.IDF) for name in layout.sparse}


def field_indexes(layout: IndexLayout) -> Iterator[tuple[str, models.PayloadSchemaType]]:
    """The filter fields of a new collection."""
    for name in layout.keywords:
        yield name, models.PayloadSchemaType.KEYWORD
    for name in layout.integers:
        yield name, models.PayloadSchemaType.INTEGER


def record(point: IndexPoint) -> models.PointStruct:
    """A point to be put in."""
    vectors: dict[str, Any] = {name: _sparse(value) for name, value in point.sparse.items() if value.indices}
    if point.dense is not None:
        vectors[DENSE] = list(point.dense)
    return models.PointStruct(id=canonical(point.id), vector=vectors, payload=dict(point.payload))


def point(record: models.Record) -> IndexPoint:
    """A point that was read, with its dense vector when that was read too."""
    vectors: Mapping[str, Any] = record.vector if isinstance(record.vector, dict) else {}
    return IndexPoint(canonical(record.id), record.payload or {}, dense=vectors.get(DENSE))


def scored(hit: models.ScoredPoint) -> Scored:
    """A point that was found."""
    return Scored(canonical(hit.id), hit.score, hit.payload or {})


def condition(where: Where) -> models.Filter | None:
    """The server's filter, `None` when everything is meant."""
    must = [_any(name, values) for name, values in where.any_of.items()]
    must += [models.FieldCondition(key=name, range=_range(*bounds)) for name, bounds in where.between.items()]
    return models.Filter(must=[*must]) if must else None


def prefetches(legs: Sequence[Leg], where: Where) -> list[models.Prefetch]:
    """Each leg fetches its own."""
    meant = condition(where)
    return [models.Prefetch(query=_value(leg), using=leg.vector, limit=leg.limit, filter=meant) for leg in legs]


def fusion(legs: Sequence[Leg]) -> models.FormulaQuery:
    """How the legs become one ranking: without a score a leg counts as 0."""
    names = [f"$score[{place}]" for place in range(len(legs))]
    terms = [models.MultExpression(mult=[leg.weight, name]) for leg, name in zip(legs, names, strict=True)]
    return models.FormulaQuery(formula=models.SumExpression(sum=[*terms]), defaults=dict.fromkeys(names, 0.0))


def _any(name: str, values: Sequence[str]) -> models.FieldCondition:
    return models.FieldCondition(key=name, match=models.MatchAny(any=[*values]))


def _range(first: int | None, last: int | None) -> models.Range:
    """A range that is open on both sides would match nothing."""
    return models.Range(gte=_LEAST if first is None else first, lte=last)


def _value(leg: Leg) -> models.SparseVector | list[float]:
    return _sparse(leg.value) if isinstance(leg.value, SparseVector) else list(leg.value)


def _sparse(vector: SparseVector) -> models.SparseVector:
    return models.SparseVector(indices=[*vector.indices], values=[*vector.values])


_LEAST = -(2.0**63)  # of an integer; JSON has no infinity
