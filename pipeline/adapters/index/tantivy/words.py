"""Our words in those of Tantivy, and back.

All keyword fields of a point share one field of the engine, `MARKS`: each value stands there as `field=value`.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

import pydantic_core
import tantivy
from tantivy import Occur

from pipeline.errors import IndexUnavailable
from pipeline.ports.index import IndexLayout, IndexPoint, Leg, Query, Where

ID, MARKS, PAYLOAD, PLACE = "_id", "_marks", "_payload", "_place"

_LONGEST = 16_000
"""Characters of a term. The engine passes over one of more than 65,530 bytes; of a longer one its hash stands here."""
_UNSCORED = "basic"  # only whether a point has the term, not how often
_SCORED = "freq"

_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_LONG = re.compile(rf"[^ ]{{{_LONGEST + 1}}}")

Clause = tuple[Occur, tantivy.Query]


def schema(layout: IndexLayout) -> tantivy.Schema:
    """The fields of an index. Terms have no positions, and only what is read back is stored."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field(ID, stored=True, tokenizer_name="raw", index_option=_UNSCORED)
    builder.add_text_field(MARKS, tokenizer_name="raw", index_option=_UNSCORED)
    builder.add_bytes_field(PAYLOAD, stored=True)
    builder.add_integer_field(PLACE, fast=True)
    for name in layout.texts:  # this tokenizer parts at blanks, tabs and ends of lines, and changes nothing
        builder.add_text_field(name, tokenizer_name="whitespace", index_option=_SCORED)
    for name in layout.integers:
        builder.add_integer_field(name, indexed=True, fast=True)
    return builder.build()


def document(point: IndexPoint, layout: IndexLayout) -> tantivy.Document:
    """A point to be put in."""
    made = tantivy.Document()
    made.add_text(ID, point.id)
    made.add_integer(PLACE, _place(point.id))
    for name, text in point.terms.items():
        is_long = len(text) > _LONGEST and _LONG.search(text)
        made.add_text(name, " ".join(map(bound_term, text.split(" "))) if is_long else text)
    for name in layout.keywords:
        for value in _texts(point.payload.get(name)):
            made.add_text(MARKS, _mark(name, value))
    for name in layout.integers:
        if isinstance(number := point.payload.get(name), int):
            made.add_integer(name, number)
    made.add_bytes(PAYLOAD, _encode(dict(point.payload)))
    return made


def point_id(read: tantivy.Document) -> str:
    """The id of a point that was read."""
    return str(read.get_first(ID))


def payload(read: tantivy.Document) -> dict[str, Any]:
    """The payload of a point that was read."""
    try:
        fields: dict[str, Any] = _decode(read.get_first(PAYLOAD) or b"")
    except ValueError as error:
        why = f"the record of {point_id(read)} is damaged"
        raise IndexUnavailable(why) from error
    return fields


def _encode(payload: dict[str, Any]) -> bytes:
    """A payload as JSON, by what is three times as fast as Python's own, and knows no half of a surrogate pair."""
    try:
        return pydantic_core.to_json(payload)
    except ValueError:
        return _COMPACT(payload).encode(errors="surrogatepass")


def _decode(payload: bytes) -> Any:  # noqa: ANN401 - JSON
    try:
        return pydantic_core.from_json(payload)
    except ValueError:
        return json.loads(payload)


def _place(point_id: str) -> int:
    """A number in the order of the ids, from their first 8 bytes: of thousands of equals not all have to be read."""
    first = point_id.encode(errors="surrogatepass")[:8].ljust(8, b"\0")
    return int.from_bytes(first, "big") - 2**63  # the engine's numbers have a sign


def id_at(place: int) -> str:
    """The id of at most 8 bytes that has this number."""
    return (place + 2**63).to_bytes(8).rstrip(b"\0").decode(errors="surrogatepass")


def of_ids(schema: tantivy.Schema, ids: Sequence[str]) -> tantivy.Query:
    """The points with these ids."""
    return _without_score(tantivy.Query.term_set_query(schema, ID, ids))


def of_where(schema: tantivy.Schema, where: Where) -> tantivy.Query:
    """The points that are meant."""
    clauses = list(_conditions(schema, where))
    return tantivy.Query.boolean_query(clauses) if clauses else _without_score(tantivy.Query.all_query())


def of_query(schema: tantivy.Schema, query: Query) -> tantivy.Query | None:
    """The query of the engine; `None` when there is no term in it."""
    terms = [(Occur.Should, term) for leg in query.legs for term in _terms(schema, leg)]
    if not terms:
        return None
    anywhere = tantivy.Query.boolean_query(terms)
    conditions = [*_conditions(schema, query.where)]
    # Alone, the engine passes over what cannot be among the best.
    return tantivy.Query.boolean_query([(Occur.Must, anywhere), *conditions]) if conditions else anywhere


def _terms(schema: tantivy.Schema, leg: Leg) -> Iterator[tantivy.Query]:
    for term, weight in leg.terms.items():
        if leg.exact:
            holding = tantivy.Query.term_query(schema, MARKS, _mark(leg.field, term), _UNSCORED)
            yield tantivy.Query.const_score_query(holding, leg.weight * weight)
        else:
            scored = tantivy.Query.term_query(schema, leg.field, bound_term(term), _SCORED)
            yield tantivy.Query.boost_query(scored, leg.weight * weight)


def _conditions(schema: tantivy.Schema, where: Where) -> Iterator[Clause]:
    for values in marks(where):
        if len(values) == 1:  # walked through, where the points of a set would be gathered first
            query = tantivy.Query.term_query(schema, MARKS, values[0], _UNSCORED)
        else:
            query = tantivy.Query.term_set_query(schema, MARKS, values)
        yield Occur.Must, _without_score(query)
    for name, bounds in where.between.items():
        yield Occur.Must, _without_score(_range(schema, name, *bounds))


def _range(schema: tantivy.Schema, name: str, first: int | None, last: int | None) -> tantivy.Query:
    if first is None and last is None:
        return tantivy.Query.exists_query(name)
    return tantivy.Query.range_query(schema, name, tantivy.FieldType.Integer, first, last)


def _without_score(query: tantivy.Query) -> tantivy.Query:
    return tantivy.Query.const_score_query(query, 0.0)


def is_meant(payload: Mapping[str, Any], where: Where) -> bool:
    """Whether a point with this payload satisfies the conditions of keywords."""
    return all(not set(values).isdisjoint(_texts(payload.get(name))) for name, values in where.any_of.items())


def marks(where: Where) -> Iterator[list[str]]:
    """For each keyword field its values, as they stand in `MARKS`."""
    return ([_mark(name, value) for value in values] for name, values in where.any_of.items())


def _mark(name: str, value: str) -> str:
    return f"{name}={bound_term(value)}"


def bound_term(text: str) -> str:
    """A term as it stands in the index."""
    return text if len(text) <= _LONGEST else sha256(text.encode(errors="surrogatepass")).hexdigest()


def _texts(value: object) -> Sequence[str]:
    return [value] if isinstance(value, str) else value if isinstance(value, list) else []
