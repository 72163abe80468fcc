"""The standing of entries: one fold over all of them, by the date of their messages and independent of their order."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import NamedTuple

from schemas.entry import Entry, Status, Trust
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


class Doubt(StrEnum):
    """The reason for which a link between entries does not count."""

    UNKNOWN = "unknown"
    ITSELF = "itself"
    AGAINST_TIME = "against_time"
    QUOTED = "quoted"
    UNVERIFIED = "unverified"
    IN_REVIEW = "in_review"


@dataclass(frozen=True, order=True)
class LinkFault:
    """A link from `entry_id` to `target` that is in doubt: something to look at, never fatal."""

    entry_id: str
    target: str
    doubt: Doubt


class EntryState(NamedTuple):
    """An entry, in the version that counts, with its standing. Ids are in the order of their messages."""

    entry: Entry
    status: Status
    superseded_by: tuple[str, ...] = ()
    reinforced_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class Fold:
    """The standing of every id, in the order of the messages, and the links in doubt, sorted.

    `corrected` has the id of the correction by that of the entry whose words it replaces.
    """

    states: Mapping[str, EntryState]
    findings: tuple[LinkFault, ...]
    corrected: Mapping[str, str]

    def counts(self, entry: Entry) -> bool:
        """Whether this is the version of its id that counts."""
        return self.states[entry.id].entry == entry

    def active(self) -> tuple[Entry, ...]:
        """The entries that hold, in the order of their messages."""
        return tuple(state.entry for state in self.states.values() if state.status is Status.ACTIVE)

    def in_force(self, entry_id: str) -> str:
        """The id of the last correction of an entry; its own when nobody corrected it."""
        return _last_correction(entry_id, self.corrected)

    def holding(self, entry_id: str) -> str:
        """The id of the last correction of what holds in place of an entry, at the end of what replaced it."""
        passed, later = set[str](), [entry_id]
        while later:
            entry_id = later[-1]
            passed.add(entry_id)
            later = [name for name in self.states[entry_id].superseded_by if name in self.states and name not in passed]
        return self.in_force(entry_id)

    def chain(self, entry_id: str) -> tuple[str, ...]:
        """The ids of an entry, of what it corrects and of its corrections, the first words first."""
        before = {later: earlier for earlier, later in self.corrected.items()}
        first = entry_id
        while first in before:
            first = before[first]
        ids = [first]
        while ids[-1] in self.corrected:
            ids.append(self.corrected[ids[-1]])
        return tuple(ids)


@dataclass(frozen=True)
class _EntryLink:
    """An entry's word about another: `successor` takes the place of `predecessor`; `carrier` is where it is written."""

    carrier: str
    successor: str
    predecessor: str

    @property
    def target(self) -> str:
        return self.successor if self.carrier == self.predecessor else self.predecessor


def fold(entries: Iterable[Entry], day: date | None = None) -> Fold:
    """The state of all entries, as of a local `day` where one is given: what held until an earlier day is archived.

    A link means that two entries cannot both hold; the later message wins, whichever of the two has the link, so no
    chain of links can close on itself. No link changes an entry with more trust than the one that has it, and no
    verified entry gives way to an unverified one. A `status: superseded` without a successor, and every `status:
    archived`, is a person's and stays. An entry in review stays so, and replaces nothing. A correction takes the place
    of what it corrects whenever that was said, if it is ours word for word; the last one of several counts.
    """
    in_time = sorted(versions(entries).items(), key=lambda item: (item[1].moment.astimezone(UTC), item[0]))
    known = dict(in_time)
    rank = {entry_id: place for place, entry_id in enumerate(known)}
    successors, findings = _successions(known, rank)
    corrected, refused = _corrections(known)
    for entry_id, correction in corrected.items():
        successors[entry_id].add(correction)
    reinforcements, doubtful = _reinforcements(known)
    states = {
        entry_id: EntryState(
            entry,
            _status(entry, successors.get(entry_id), day),
            _in_order(successors.get(entry_id), rank),
            _in_order(reinforcements.get(entry_id), rank),
        )
        for entry_id, entry in known.items()
    }
    return Fold(states, tuple(sorted(findings | refused | doubtful)), corrected)


def find_linked(entries: Collection[Entry]) -> list[Entry]:
    """The entries with a link, and those that a link names: the state of any other one is in its own status."""
    ids = set[str]()
    for entry in entries:
        if entry.supersedes or entry.superseded_by or entry.reinforces or entry.corrects:
            ids.update((entry.id, entry.corrects), entry.supersedes, entry.superseded_by, entry.reinforces)
    return [entry for entry in entries if entry.id in ids] if ids else []


def _in_order(ids: set[str] | None, rank: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(sorted(ids, key=rank.__getitem__)) if ids else ()  # few have any


def precedence(trust: Trust, confidence: float, date: datetime, status: Status) -> tuple[int, float, datetime, int]:
    """The key by which the versions of one id are ordered: that with the greatest counts.

    It is the one that is believed most, then the surest, then the newest. Of equal ones a copy ends no other.
    """
    return trust.level, confidence, date.astimezone(UTC), _LIVELIEST[status]


_LIVELIEST = {Status.ARCHIVED: 0, Status.IN_REVIEW: 1, Status.SUPERSEDED: 2, Status.ACTIVE: 3}


def versions(entries: Iterable[Entry]) -> dict[str, Entry]:
    """The version of each id that counts, in the order given."""
    best: dict[str, Entry] = {}
    for entry in entries:
        known = best.setdefault(entry.id, entry)
        if known is not entry and _weight(entry) > _weight(known):
            best[entry.id] = entry
    return best


def _weight(entry: Entry) -> tuple[tuple[int, float, datetime, int], str]:
    # The text comes last so that the choice between equals does not rest on the order of the files.
    return precedence(entry.trust, entry.confidence, entry.date, entry.status), repr(entry)


def _successions(known: Mapping[str, Entry], rank: Mapping[str, int]) -> tuple[dict[str, set[str]], set[LinkFault]]:
    """The ids that took the place of each id, and the links in doubt. `rank` is the place of an id in time."""
    successors: dict[str, set[str]] = defaultdict(set)
    findings: set[LinkFault] = set()
    for link in _links(known):
        earlier, later = sorted((link.successor, link.predecessor), key=lambda entry_id: rank.get(entry_id, -1))
        turned = earlier == link.successor
        doubt = _doubt(link, earlier, known) or _doubt_of_successor(known[later], known[earlier], turned=turned)
        if doubt is None:
            successors[earlier].add(later)
            doubt = Doubt.AGAINST_TIME if turned else None
        if doubt is not None:
            findings.add(LinkFault(link.carrier, link.target, doubt))
    return successors, findings


def _links(known: Mapping[str, Entry]) -> Iterator[_EntryLink]:
    for entry_id, entry in known.items():
        for target in entry.supersedes:
            yield _EntryLink(entry_id, entry_id, target)
        for successor in entry.superseded_by:
            yield _EntryLink(entry_id, successor, entry_id)


def _corrections(known: Mapping[str, Entry]) -> tuple[dict[str, str], set[LinkFault]]:
    """The correction of each entry that has one, and those that do not count; `known` is in the order of time.

    An earlier correction of the same entry gives way to the later one, as the entry does. Corrections lead in a circle
    where the id of an entry that is gone was given again: then the last one holds.
    """
    corrected: dict[str, str] = {}
    refused: set[LinkFault] = set()
    for entry_id, entry in known.items():
        if not entry.corrects:
            continue
        doubt = _doubt(_EntryLink(entry_id, entry_id, entry.corrects), entry.corrects, known)
        if entry.trust.level < Trust.OWNER.level:
            doubt = Doubt.UNVERIFIED if entry.trust is Trust.UNVERIFIED else Doubt.QUOTED
        if doubt:
            refused.add(LinkFault(entry_id, entry.corrects, doubt))
            continue
        last = _last_correction(entry.corrects, corrected)
        if last == _last_correction(entry_id, corrected):
            corrected.pop(entry_id, None)
        if last != entry_id:
            corrected[last] = entry_id
    return corrected, refused


def _last_correction(entry_id: str, corrected: Mapping[str, str]) -> str:
    while entry_id in corrected:
        entry_id = corrected[entry_id]
    return entry_id


def _doubt(link: _EntryLink, changed: str, known: Mapping[str, Entry]) -> Doubt | None:
    """The doubt about a link; `None` when it counts. `changed` is the entry whose state it would change."""
    if link.target == link.carrier:
        return Doubt.ITSELF
    if link.target not in known:
        return Doubt.UNKNOWN
    return _less_believed(known[link.carrier], known[changed])


def _doubt_of_successor(later: Entry, earlier: Entry, *, turned: bool) -> Doubt | None:
    """The doubt that `later` can replace `earlier`. A `turned` link counts among equals alone."""
    if later.status is Status.IN_REVIEW:
        return Doubt.IN_REVIEW
    doubt = _less_believed(later, earlier)
    if turned:
        return doubt or _less_believed(earlier, later)
    return doubt if doubt is Doubt.UNVERIFIED else None


def _less_believed(one: Entry, other: Entry) -> Doubt | None:
    """The doubt about `one` when it is believed less than `other`."""
    if one.trust.level >= other.trust.level:
        return None
    return Doubt.UNVERIFIED if one.trust is Trust.UNVERIFIED else Doubt.QUOTED


def _reinforcements(known: Mapping[str, Entry]) -> tuple[dict[str, set[str]], set[LinkFault]]:
    """The ids of the entries that reinforce each id, and the links in doubt."""
    again: dict[str, set[str]] = defaultdict(set)
    findings: set[LinkFault] = set()
    for entry_id, entry in known.items():
        for target in entry.reinforces:
            doubt = _doubt(_EntryLink(entry_id, entry_id, target), target, known)
            if doubt is None:
                again[target].add(entry_id)
            else:
                findings.add(LinkFault(entry_id, target, doubt))
    return again, findings


def _status(entry: Entry, successors: set[str] | None, day: date | None) -> Status:
    if entry.status is Status.ARCHIVED or entry.status is Status.IN_REVIEW:
        return entry.status
    by_hand = entry.status is Status.SUPERSEDED and not entry.superseded_by
    if successors or by_hand:
        return Status.SUPERSEDED
    return Status.ARCHIVED if day and entry.until and entry.until < day else Status.ACTIVE
