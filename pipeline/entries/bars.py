"""Pairs of entries that a person took apart: no run links them again."""

import hashlib
import json
from collections.abc import Iterable

from schemas.entry import Entry
from schemas.links import LinkBar

_LENGTH = 16


def place_of(entry: Entry) -> str:
    """16 hex digits of the quoted message of an entry: the same when it is written again under another id."""
    named = json.dumps([entry.source.session_id, entry.source.entry_ids[0]])
    return hashlib.sha256(named.encode()).hexdigest()[:_LENGTH]


def bar_between(one: Entry, other: Entry) -> LinkBar:
    """The bar between two entries."""
    return LinkBar(ids=(one.id, other.id), places=(place_of(one), place_of(other)))


class LinkBars:
    """All bars of a workspace."""

    def __init__(self, bars: Iterable[LinkBar] = ()) -> None:
        self._pairs = frozenset(frozenset(pair) for bar in bars for pair in (bar.ids, bar.places))

    def hold(self, one: Entry, other: Entry) -> bool:
        """Whether the two are not to be linked, under these ids or under others."""
        if not self._pairs:
            return False
        pairs = ((one.id, other.id), (place_of(one), place_of(other)))
        return any(frozenset(pair) in self._pairs for pair in pairs)
