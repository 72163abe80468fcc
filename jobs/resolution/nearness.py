"""The entries that may be about the same as another one: an index of them, and their order by likeness."""

from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Generic, TypeVar

from jobs.resolution.relation import SHARED, has_same_value, statement, values_of, verbatim, verbatim_of, wording
from jobs.resolution.same_thing import FeatureCounts, Weights, bare_subject, features, quantities
from schemas.entry import Entry

LOOSE = 0.08
"""The cosine from which a model is asked about a pair; code needs more to link one."""

Key = TypeVar("Key", bound=Hashable)


def leads(entry: Entry) -> frozenset[str]:
    """The features by which related entries are looked up; the whole quote counts twice, as does its subject."""
    return _leads_of(statement(entry), entry.quote)


@lru_cache(maxsize=65536)
def _leads_of(stated: str, quote: str) -> frozenset[str]:
    words, subject = verbatim_of(quote), bare_subject(quote)
    wholes = {f"={words}", f"=={words}"} if words else set[str]()
    return features(stated) | wholes | ({f"~{subject}", f"~~{subject}"} if subject else set())


def can_be_related(entry: Entry, other: Entry) -> bool:
    """Whether two entries have enough words in common, or a word and the same value or unit, or the same words."""
    shared = len(features(statement(entry)) & features(statement(other)))
    if shared >= SHARED - 1 or (shared and has_same_value(entry, other)):
        return True
    # A price that changes may have nothing but its subject and its unit in common.
    if shared and not quantities(wording(entry)).keys().isdisjoint(quantities(wording(other))):
        return True
    same = ((verbatim(entry), verbatim(other)), (bare_subject(entry.quote), bare_subject(other.quote)))
    return any("" != one == another for one, another in same)


class EntryIndex(Generic[Key]):
    """Entries by their leads, values and units, so that those near an entry are found without a look at the others."""

    def __init__(self, entries: Mapping[Key, Entry]) -> None:
        self.entries: dict[Key, Entry] = {}
        self._texts: dict[Key, str] = {}
        self._holders: dict[Hashable, set[Key]] = {}
        self._counts = FeatureCounts()
        self.hold(entries)

    def hold(self, entries: Mapping[Key, Entry]) -> None:
        """Hold these entries and no others; the work is that of the difference."""
        for key in self.entries.keys() - entries.keys():
            self._leave(key, _places_of(self.entries.pop(key)))
            del self._texts[key]
        for key, entry in entries.items():
            if self.entries.get(key) is not entry:
                self.put(key, entry)

    def put(self, key: Key, entry: Entry) -> None:
        """Add an entry, in the place of the one of this key."""
        before, now = _places_of(self.entries[key]) if key in self.entries else frozenset(), _places_of(entry)
        self._leave(key, before - now)
        for place in now - before:
            self._holders.setdefault(place, set()).add(key)
        self.entries[key], self._texts[key] = entry, statement(entry)

    def near(self, entry: Entry) -> Iterator[Key]:
        """The keys of the entries with which `entry` can be related, in any order."""
        groups = sorted((group for lead in leads(entry) if (group := self._holders.get(lead))), key=len)
        once, twice = set[Key](), set[Key]()
        for group in groups[:-1]:
            twice |= once & group
            once |= group
        common = groups[-1] if groups else set[Key]()  # which may hold nearly all, so it is only asked
        named = set[Key]().union(*(self._holders.get(value, ()) for value in _values_and_units(entry)))
        yield from twice | (once & common) | (named & once) | (named & common)

    def weights(self, more: Iterable[str]) -> Weights:
        """The weights of features in the statements of these entries, and in `more`."""
        return Weights(self._texts.values(), self._counts, more=more)

    def _leave(self, key: Key, places: Iterable[Hashable]) -> None:
        for place in places:
            self._holders[place].remove(key)
            if not self._holders[place]:
                del self._holders[place]


class LastIndex(Generic[Key]):
    """The index of the last run, which a run takes out: a back-fill compares with nearly the same entries each time."""

    def __init__(self) -> None:
        self._left = deque[EntryIndex[Key]](maxlen=1)

    @contextmanager
    def take_index(self, entries: Mapping[Key, Entry]) -> Iterator[EntryIndex[Key]]:
        """An index that holds these entries, and is left to the next run."""
        try:
            index = self._left.pop()
        except IndexError:
            index = EntryIndex({})
        index.hold(entries)
        yield index
        self._left.append(index)


def _places_of(entry: Entry) -> frozenset[Hashable]:
    return leads(entry) | _values_and_units(entry)


def _values_and_units(entry: Entry) -> frozenset[Hashable]:
    """The values and the units of an entry, as they are no leads."""
    values = (("value", value) for value in values_of(entry))
    return frozenset((*values, *(("unit", unit) for unit in quantities(wording(entry)))))


def rank_near(entry: Entry, others: Iterable[Entry], weights: Weights) -> list[Entry]:
    """Entries that can be related to `entry`, the most alike first."""
    text = statement(entry)
    alikes = [(weights.likeness(text, statement(other)).cosine, other) for other in others]
    return [other for _, other in sorted(alikes, key=lambda pair: (-pair[0], pair[1].date, pair[1].id))]


def is_likely(one: Entry, other: Entry, weights: Weights) -> bool:
    """Whether a pair is alike enough to ask a model about it."""
    return weights.likeness(statement(one), statement(other)).cosine >= LOOSE or has_same_value(one, other)
