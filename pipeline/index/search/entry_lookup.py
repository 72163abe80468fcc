"""Entries in the index by their ids: their passages, their standing, and their successors."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from pipeline.entries.reference import ITEM_DIGITS, is_item_name, is_wordless, item_name, wordless
from pipeline.entries.standing import precedence
from pipeline.index.schema import (
    ABOUT,
    AGENT,
    CONFIDENCE,
    ENTRY,
    MOMENT,
    PASSAGE,
    REPLACED,
    SORT,
    STATUS,
    SUCCESSORS,
    TEXT,
    TIER,
    TRUST,
    WRITTEN_STATUS,
    standing_id,
)
from pipeline.index.search.scoring import LocationIndex, ScoredPassage
from pipeline.ports.index import Where
from schemas.entry import Status, Trust
from schemas.requests import SearchRequest
from schemas.tier import Tier

_LONGEST_CHAIN = 100
_SHORTEST = len("m-") + ITEM_DIGITS
_UNSCORED = 0.0
_PLAINLY_ACTIVE: Mapping[str, Any] = {STATUS: Status.ACTIVE.value, SUCCESSORS: ()}


@dataclass(frozen=True, slots=True)
class EntryStanding:
    """The standing of one entry at a time, folded from all entries: its status, and its successors by age."""

    status: str = Status.ACTIVE.value
    successors: tuple[str, ...] = ()


@dataclass(frozen=True)
class Entries:
    """The passages about entries, each id looked up once for a question. `wanted` decides as of which day."""

    locations: LocationIndex
    wanted: SearchRequest
    _about: dict[str, list[ScoredPassage]] = field(default_factory=dict)
    _standings: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def fetch(self, ids: Iterable[str]) -> None:
        """Look these ids up together, which is cheaper than singly."""
        missing = {entry_id for entry_id in ids if entry_id} - self._about.keys()
        if not missing:
            return
        items = {name: name[:_SHORTEST] if is_item_name(name) else item_name(name) for name in missing}
        passages: dict[str, list[ScoredPassage]] = defaultdict(list)
        agents = {AGENT: self.wanted.agent} if self.wanted.agent else {}
        where = Where(any_of={SORT: (PASSAGE,), ABOUT: sorted(missing.union(items.values())), **agents})
        points = [ScoredPassage(point.id, _UNSCORED, point.payload) for point in self.locations.searcher.scroll(where)]
        for candidate in sorted(points, key=lambda passage: passage.order):
            for entry_id in candidate.about:
                passages[entry_id].append(candidate)
        for entry_id in missing:
            known = {passage.id: passage for passage in (*passages[entry_id], *passages[items[entry_id]])}
            self._about[entry_id] = sorted(known.values(), key=lambda passage: passage.order)
        entry_ids = {passage.entry_id for passage in points if passage.entry_id} - self._standings.keys()
        self._standings.update(dict.fromkeys(entry_ids, _PLAINLY_ACTIVE))
        for point in self.locations.searcher.retrieve([standing_id(entry_id) for entry_id in entry_ids]):
            self._standings[point.payload[ENTRY]] = point.payload

    def replaced_lines(self, agents: Iterable[str]) -> list[str]:
        """The lines of these agents that were replaced by the time that is asked about, each with the day of that."""
        known = sorted(set(filter(None, agents)))
        if not known:
            return []
        where = Where(any_of={SORT: (PASSAGE,), AGENT: known, TIER: (Tier.ARCHIVE.value,)})
        points = (ScoredPassage(point.id, _UNSCORED, point.payload) for point in self.locations.searcher.scroll(where))
        ended = (passage for passage in points if passage.payload.get(REPLACED) and self.has_existed(passage))
        return [line for passage in ended for line in str(passage.payload[TEXT]).split("\n")]

    def about(self, entry_id: str) -> Sequence[ScoredPassage]:
        """The passages that name an entry, itself among them, in a stable order."""
        self.fetch([entry_id])
        return self._about[entry_id]

    def items(self, passages: Iterable[ScoredPassage]) -> dict[str, str]:
        """The ids of entries by the names of the items that these passages are; none where several may be meant."""
        names = {name for passage in passages for name in passage.about if is_item_name(name)}
        self.fetch(names)
        return {name: called[0].entry_id for name in names if (called := self._find_called(name))}

    def versions(self, entry_id: str) -> list[ScoredPassage]:
        """The passages of the entry itself in all files: the version that counts first.

        Pages call some entries by their name without words; it is known by that one too.
        """
        own = self._find_called(entry_id) if is_wordless(entry_id) else []
        own = own or [passage for passage in self.about(entry_id) if passage.entry_id == entry_id]
        return sorted(sorted(own, key=lambda passage: passage.order), key=_precedence, reverse=True)

    def entry_or_fact(self, name: str) -> list[ScoredPassage]:
        """The passages of an entry, or of a fact, by its id; the one that counts first."""
        return self.versions(name) or [passage for passage in self.about(name) if passage.fact_id == name]

    def _find_called(self, name: str) -> list[ScoredPassage]:
        """The entry with this name without words, in all versions; none where several may be meant."""
        digits = len(name) - len("m-")
        own = [passage for passage in self.about(name) if passage.entry_id]
        own = [passage for passage in own if name in {wordless(passage.entry_id), item_name(passage.entry_id, digits)}]
        return own if len({passage.entry_id for passage in own}) == 1 else []

    def is_known(self, entry_id: str) -> bool:
        """Whether there was such an entry at the time that is asked about."""
        return any(map(self.has_existed, self.versions(entry_id)))

    def has_existed(self, candidate: ScoredPassage) -> bool:
        """Whether a passage existed at the time that the question is about, by its day."""
        last = _ordinal(self.wanted.as_of)
        return last is None or (candidate.day or 0) <= last

    def standing(self, entry_id: str) -> EntryStanding:
        """The standing of an entry; an unknown id has an active one."""
        versions = self.versions(entry_id)
        if not versions:
            return EntryStanding()
        payload, last = self._standings[versions[0].entry_id], _ordinal(self.wanted.as_of)
        status = str(payload[STATUS])
        # The day of an archiving, or of a superseding by hand, is not recorded: the days of the successors count.
        ordered = sorted((day, entry_id) for entry_id, day in payload[SUCCESSORS])
        successors = tuple(entry_id for day, entry_id in ordered if last is None or day <= last)
        if status == Status.SUPERSEDED and ordered and not successors:
            return EntryStanding()
        return EntryStanding(status, successors)

    def successor(self, entry_id: str) -> str:
        """The entry that holds in place of a superseded one, at the end of the chain; empty when none is known."""
        passed = [entry_id]
        while len(passed) < _LONGEST_CHAIN:
            standing = self.standing(passed[-1])
            known = [
                successor for successor in standing.successors if successor not in passed and self.is_known(successor)
            ]
            if standing.status != Status.SUPERSEDED or not known:
                break
            passed.append(known[-1])
        return passed[-1] if passed[1:] else ""


def _precedence(version: ScoredPassage) -> tuple[object, ...]:
    payload = version.payload
    moment = datetime.fromisoformat(payload[MOMENT])
    return precedence(Trust(payload[TRUST]), payload[CONFIDENCE], moment, Status(payload[WRITTEN_STATUS]))


def day_of(candidate: ScoredPassage) -> date | None:
    """The day of a passage."""
    return date.fromordinal(candidate.day) if candidate.day is not None else None


def _ordinal(day: date | None) -> int | None:
    return day.toordinal() if day else None
