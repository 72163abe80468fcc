"""What holds now: one fold over all entries, by the date of their messages and in whatever order they are given."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from schemas.entry import Entry, Status, Trust


class Doubt(StrEnum):
    """Why a link between entries was not taken as it stands."""

    UNKNOWN = "unknown"
    ITSELF = "itself"
    AGAINST_TIME = "against_time"
    UNVERIFIED = "unverified"


@dataclass(frozen=True, order=True)
class Finding:
    """A link from `entry_id` to `target` that is in doubt: something to look at, never fatal."""

    entry_id: str
    target: str
    doubt: Doubt


@dataclass(frozen=True)
class State:
    """An entry, in the version that counts, with its standing. Ids are in the order of their messages."""

    entry: Entry
    status: Status
    superseded_by: tuple[str, ...] = ()
    reinforced_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class Fold:
    """The standing of every id, in the order of the messages, and the links in doubt, sorted."""

    states: Mapping[str, State]
    findings: tuple[Finding, ...] = ()

    def active(self) -> tuple[Entry, ...]:
        """The entries that hold, in the order of their messages."""
        return tuple(state.entry for state in self.states.values() if state.status is Status.ACTIVE)


@dataclass(frozen=True)
class _Link:
    """An entry's word about another: `successor` takes the place of `predecessor`; `carrier` is where it is written."""

    carrier: str
    successor: str
    predecessor: str

    @property
    def target(self) -> str:
        return self.successor if self.carrier == self.predecessor else self.predecessor


def fold(entries: Iterable[Entry]) -> Fold:
    """The state of all entries.

    A link says that two entries cannot both hold; the later message wins, whichever of the two carries it, so no chain
    of links can close on itself. An unverified entry changes the state of unverified ones only. A `status: superseded`
    that names no successor, and every `status: archived`, is a person's and stays.
    """
    known = _by_time(_versions(entries))
    rank = {entry_id: place for place, entry_id in enumerate(known)}
    successors, findings = _successions(known, rank)
    reinforcements, doubtful = _reinforcements(known)
    states = {
        entry_id: State(
            entry,
            _status(entry, successors[entry_id]),
            _in_order(successors[entry_id], rank),
            _in_order(reinforcements[entry_id], rank),
        )
        for entry_id, entry in known.items()
    }
    return Fold(states, tuple(sorted(findings | doubtful)))


def _in_order(ids: set[str], rank: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(sorted(ids, key=rank.__getitem__)) if ids else ()  # few have any


def _versions(entries: Iterable[Entry]) -> dict[str, Entry]:
    """One version for each id: the higher confidence counts, then the newer, then the one a person archived."""
    best: dict[str, Entry] = {}
    for entry in entries:
        known = best.get(entry.id)
        if known is None or _weight(entry) > _weight(known):
            best[entry.id] = entry
    return best


def _weight(entry: Entry) -> tuple[float, datetime, bool, str]:
    # The text comes last so that the choice between equals does not rest on the order of the files.
    return entry.confidence, entry.date.astimezone(UTC), entry.status is Status.ARCHIVED, repr(entry)


def _by_time(entries: Mapping[str, Entry]) -> dict[str, Entry]:
    return dict(sorted(entries.items(), key=lambda item: (item[1].date.astimezone(UTC), item[0])))


def _successions(known: Mapping[str, Entry], rank: Mapping[str, int]) -> tuple[dict[str, set[str]], set[Finding]]:
    """For each id the ids that took its place, and the links in doubt. `rank` is the place of an id in time."""
    successors: dict[str, set[str]] = defaultdict(set)
    findings: set[Finding] = set()
    for link in _links(known):
        earlier, later = sorted((link.successor, link.predecessor), key=lambda entry_id: rank.get(entry_id, -1))
        doubt = _doubt(link, earlier, known)
        if doubt is None:
            successors[earlier].add(later)
            doubt = Doubt.AGAINST_TIME if earlier == link.successor else None
        if doubt is not None:
            findings.add(Finding(link.carrier, link.target, doubt))
    return successors, findings


def _links(known: Mapping[str, Entry]) -> Iterator[_Link]:
    for entry_id, entry in known.items():
        yield from (_Link(entry_id, entry_id, target) for target in entry.supersedes)
        yield from (_Link(entry_id, successor, entry_id) for successor in entry.superseded_by)


def _doubt(link: _Link, changed: str, known: Mapping[str, Entry]) -> Doubt | None:
    """Why the link does not count; `None` when it does. `changed` is the entry whose state it would change."""
    if link.target == link.carrier:
        return Doubt.ITSELF
    if link.target not in known:
        return Doubt.UNKNOWN
    if known[link.carrier].trust is Trust.UNVERIFIED is not known[changed].trust:
        return Doubt.UNVERIFIED
    return None


def _reinforcements(known: Mapping[str, Entry]) -> tuple[dict[str, set[str]], set[Finding]]:
    """For each id the ids of the entries that say it again, and the links in doubt."""
    again: dict[str, set[str]] = defaultdict(set)
    findings: set[Finding] = set()
    for entry_id, entry in known.items():
        for target in entry.reinforces:
            doubt = _doubt(_Link(entry_id, entry_id, target), target, known)
            if doubt is None:
                again[target].add(entry_id)
            else:
                findings.add(Finding(entry_id, target, doubt))
    return again, findings


def _status(entry: Entry, successors: set[str]) -> Status:
    if entry.status is Status.ARCHIVED:
        return Status.ARCHIVED
    by_hand = entry.status is Status.SUPERSEDED and not entry.superseded_by
    return Status.SUPERSEDED if successors or by_hand else Status.ACTIVE
