"""An open index of Tantivy, read and written in our words."""

import errno
import os
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import ParamSpec, TypeVar

import tantivy

from pipeline.adapters.index.tantivy import words
from pipeline.errors import IndexUnavailable, WriteFailed
from pipeline.ports.index import EVERYTHING, IndexLayout, IndexPoint, Query, Scored, Where

T = TypeVar("T")

_SPARE = 16  # asked for beyond what is wanted, so that a cut among equals is seldom
_EQUAL = 1e-6
"""Scores that differ by no more than this part are equal: an engine adds 32-bit numbers in an order of its own."""


def best(
    limit: int, ask: Callable[[int], list[tuple[float, T]]], places: Callable[[Sequence[T]], Sequence[int]]
) -> list[tuple[float, T]]:
    """The best hits, equals with one score; at least `limit` of them when there are so many, in any order.

    There are more than `limit` where the cut falls among hits with one score and one place.

    Args:
        limit: how many are wanted.
        ask: brings so many hits at most, the best first. More are asked for until all equals of the last are there.
        places: numbers that are in the order of the hits' ids; two ids may have one number.
    """
    if limit <= 0:
        return []
    asked = limit + _SPARE
    hits = ask(asked)
    while len(hits) == asked and all(_are_equal(*pair) for pair in pairwise(hits[limit - 1 :])):
        asked *= 4
        hits = ask(asked)
    levelled = hits[:1]  # the hits, with the score of the first that they equal
    for before, (score, hit) in pairwise(hits):
        levelled.append((levelled[-1][0] if _are_equal(before, (score, hit)) else score, hit))
    keys = [(-score, place) for (score, _), place in zip(levelled, places([hit for _, hit in hits]), strict=True)]
    last = sorted(keys)[:limit][-1:]
    return [hit for hit, key in zip(levelled, keys, strict=True) if [key] <= last]


def _are_equal(one: tuple[float, object], other: tuple[float, object]) -> bool:
    return abs(one[0] - other[0]) <= _EQUAL * max(abs(one[0]), abs(other[0]))


_MOST_COUNTS = 100
_MOST, _LEFT_OUT = 0.5, 8
"""The share of all points from which on the best of all are looked at, and how many of these may not be meant."""

P = ParamSpec("P")

_OS_ERROR = re.compile(r"\b(?:Os \{ code: |os error )(\d+)")
_REFUSALS = {errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EMFILE}
"""Errors that are not about the index: building it anew would not help."""


def ask_engine(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The answer of the engine."""
    try:
        return call(*args, **kwargs)
    except BaseException as error:
        # The engine has one class for all its errors, and a panic is no `Exception`.
        if type(error) is not ValueError and type(error).__name__ != "PanicException":
            raise
        refused = _OS_ERROR.search(str(error))
        if refused and int(refused[1]) in _REFUSALS:
            path = "the index"
            raise WriteFailed(path, os.strerror(int(refused[1]))) from error
        why = f"its engine says: {' '.join(str(error).split()).rstrip('.')}"
        raise IndexUnavailable(why) from error


class TantivySearcher:
    """`pipeline.ports.index.RankedSearcher` of a snapshot."""

    def __init__(
        self, searcher: tantivy.Searcher, schema: tantivy.Schema, counts: dict[str, int], version: bytes
    ) -> None:
        """`schema` and `version` are those of the snapshot, and `counts` keeps the numbers of points in it.

        No two states of an index have one version; it is empty where it is not known.
        """
        self._searcher, self._schema, self._counts, self.version = searcher, schema, counts, version

    def search(self, query: Query) -> list[Scored]:
        """The best points.

        Where most points are meant, the best of all are asked for, and those left out that are not meant: of all the
        engine looks at few, and with a condition at each that has a term.
        """
        allowed = self._count_allowed(query.where)
        if not allowed:
            return []
        if not query.where.between and allowed >= _MOST * self.size():
            scored = self._score_points(replace(query, limit=query.limit + _LEFT_OUT, where=EVERYTHING))
            meant = [hit for hit in scored if words.is_meant(hit.payload, query.where)][: query.limit]
            if len(meant) == query.limit or len(scored) < query.limit + _LEFT_OUT:
                return meant
        return self._score_points(query)

    def _score_points(self, query: Query) -> list[Scored]:
        meant = ask_engine(words.of_query, self._schema, query)
        hits = best(query.limit, lambda limit: self._hits(meant, limit), self._places) if meant else []
        return sorted(map(self._read_scored, hits), key=lambda hit: (-hit.score, hit.id))[: query.limit]

    def _count_allowed(self, where: Where) -> int:
        """At least as many points as are meant: those that the strictest condition of keywords allows."""
        counts = (sum(self._frequency(words.MARKS, mark) for mark in marks) for marks in words.marks(where))
        return min((self.size(), *counts))

    def _frequency(self, field: str, term: str) -> int:
        return int(ask_engine(self._searcher.doc_freq, field, term))

    def rank_points(self, query: Query) -> list[tuple[str, float]]:
        """The ids of the best points, which have at most 8 bytes, and their scores."""
        meant = ask_engine(words.of_query, self._schema, query)
        hits = self._hits(meant, query.limit) if meant else []
        names = map(words.id_at, self._places([address for _, address in hits]))
        return [(name, score) for name, (score, _) in zip(names, hits, strict=True)]

    def frequency(self, field: str, term: str) -> int:
        """The number of points that have a term in a field."""
        return self._frequency(field, words.bound_term(term))

    def numbers(self, field: str, where: Where) -> list[int]:
        """The numbers in an integer field of the points that are meant."""
        addresses = [address for _, address in self._all_hits(where)]
        values = ask_engine(self._searcher.fast_field_values, field, addresses)
        return [int(number) for number in values if number is not None]

    def size(self) -> int:
        """The number of points."""
        return self._searcher.num_docs

    def count(self, where: Where) -> int:
        """The number of points that are meant."""
        if where == EVERYTHING:
            return self.size()
        name = repr(where)
        if len(self._counts) > _MOST_COUNTS:
            self._counts.clear()
        known = self._counts.get(name)  # which another thread may clear
        if known is None:
            counted = ask_engine(self._searcher.search, self._query_of(where), 1)
            known = self._counts[name] = int(counted.count)  # type: ignore[attr-defined]  # the stubs lack it
        return known

    def retrieve(self, ids: Collection[str]) -> list[IndexPoint]:
        """The points with these ids that there are."""
        wanted = [*set(ids)]
        return [*self._read_points(self._hits(words.of_ids(self._schema, wanted), len(wanted)))] if wanted else []

    def scroll(self, where: Where) -> Iterator[IndexPoint]:
        """Every point that is meant. Their addresses are in memory at once, 170 bytes for each."""
        return self._read_points(self._all_hits(where))

    def _query_of(self, where: Where) -> tantivy.Query:
        return ask_engine(words.of_where, self._schema, where)

    def _all_hits(self, where: Where) -> list[tuple[float, tantivy.DocAddress]]:
        # The engine makes room for as many as it is asked for, in each of its segments.
        allowed = self._count_allowed(where)
        return self._hits(self._query_of(where), allowed) if allowed else []

    def _read_points(self, hits: list[tuple[float, tantivy.DocAddress]]) -> Iterator[IndexPoint]:
        for _, address in hits:
            read = ask_engine(self._searcher.doc, address)
            yield IndexPoint(words.point_id(read), words.payload(read))

    def _read_scored(self, hit: tuple[float, tantivy.DocAddress]) -> Scored:
        read = ask_engine(self._searcher.doc, hit[1])
        return Scored(words.point_id(read), hit[0], words.payload(read))

    def _places(self, addresses: Sequence[tantivy.DocAddress]) -> list[int]:
        return [int(place or 0) for place in ask_engine(self._searcher.fast_field_values, words.PLACE, [*addresses])]

    def _hits(self, meant: tantivy.Query, limit: int) -> list[tuple[float, tantivy.DocAddress]]:
        # The engine makes room for all that it is asked for, and takes no limit of 0.
        return ask_engine(self._searcher.search, meant, max(min(limit, self.size()), 1), count=False).hits


class TantivyIndexer:
    """`pipeline.ports.index.Indexer` of one commit."""

    def __init__(self, writer: tantivy.IndexWriter, layout: IndexLayout, *, empty: bool) -> None:
        """The caller commits with the `writer`. `empty` says that no point is in its index."""
        self._writer, self._layout, self._empty = writer, layout, empty
        self._added = set[int]()
        self.changed = False

    def insert(self, points: Sequence[IndexPoint]) -> None:
        """Put points in whose ids no other point has."""
        for point in points:
            self._add(words.document(point, self._layout))

    def upsert(self, points: Sequence[IndexPoint]) -> None:
        """Put points in."""
        for point in points:
            # The engine keeps 700 bytes for a deletion until it commits: what cannot be there is not deleted.
            number = hash(point.id)  # of two ids with one number, the second is deleted in vain
            if self._empty and number not in self._added:
                self._added.add(number)
            else:
                self.delete([point.id])
            self._add(words.document(point, self._layout))

    def delete(self, ids: Collection[str]) -> None:
        """Take points out."""
        for point_id in ids:
            ask_engine(self._writer.delete_documents_by_term, words.ID, point_id)
            self.changed = True

    def _add(self, document: tantivy.Document) -> None:
        try:
            ask_engine(self._writer.add_document, document)
        except IndexUnavailable:
            ask_engine(self._writer.commit)  # the thread that writes has ended: a commit, which fails, tells why
            raise
        self.changed = True
