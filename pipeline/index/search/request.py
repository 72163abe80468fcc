"""The scopes of a search: the passages that may answer a request, tier after tier."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from pipeline.index.schema import (
    AGENT,
    ANYBODY,
    DAY,
    ENTITIES,
    KIND,
    PASSAGE,
    PROJECT,
    READERS,
    SORT,
    THREAD,
    TIER,
    reader_name,
)
from pipeline.ports.index import Where
from schemas.entry import Kind, Status
from schemas.hit import Reach
from schemas.requests import RecallRequest, SearchRequest
from schemas.search_limits import RECALL_KINDS
from schemas.tier import Tier

NEAR = (Tier.HOT, Tier.WARM)
FAR = (Tier.COLD, Tier.RESEARCH, Tier.ARCHIVE)
_STEPS = {
    Reach.AUTO: (NEAR, (Tier.COLD,), (Tier.RESEARCH, Tier.ARCHIVE)),
    Reach.WARM: (NEAR,),
    Reach.COLD: (FAR,),
    Reach.ALL: ((*NEAR, *FAR),),
    Reach.DETAIL: ((Tier.DETAIL,),),
    Reach.SAID: ((),),
}

_ENTRIES = "decision"
"""The kind of a recall that stands for all kinds of entries."""


@dataclass(frozen=True)
class Scope:
    """The passages that may answer: what was wanted, within some tiers. Its `entities` are all names of those meant."""

    wanted: SearchRequest
    tiers: tuple[Tier, ...]

    def __add__(self, other: "Scope") -> "Scope":
        return Scope(self.wanted, (*self.tiers, *other.tiers))

    def where(self, *, dated: bool | None = None) -> Where:
        """The scope as a filter of the index; `dated` decides whether days are filtered, in place of the request."""
        wanted = self.wanted
        by_day = wanted.has_period or wanted.last_day is not None if dated is None else dated
        days = {DAY: (_ordinal(wanted.since), _ordinal(wanted.last_day))} if by_day else {}
        keywords: dict[str, Sequence[str]] = {SORT: (PASSAGE,), TIER: tuple(tier.value for tier in self.tiers)}
        named = {KIND: wanted.kind, AGENT: wanted.agent, ENTITIES: wanted.entity, PROJECT: wanted.project}
        keywords |= {field: values for field, values in named.items() if values} | self._of_details
        return Where(any_of=keywords, between=days)

    def has(self, payload: Mapping[str, Any]) -> bool:
        """Whether a passage is in the scope, its status apart."""
        wanted = self.wanted
        return (
            payload.get(TIER) in self.tiers
            and _one_of(payload.get(KIND), wanted.kind)
            and _one_of(payload.get(AGENT), wanted.agent)
            and (not wanted.entity or not set(wanted.entity).isdisjoint(payload.get(ENTITIES) or ()))
            and (not wanted.project or not set(wanted.project).isdisjoint(payload.get(PROJECT) or ()))
            and self.in_time(payload.get(DAY))
            and all(not set(values).isdisjoint(_texts(payload.get(name))) for name, values in self._of_details.items())
        )

    def in_time(self, day: int | None) -> bool:
        """Whether a day, an ordinal, is one of those wanted; no day is, unless `since` or `until` ask for days."""
        wanted = self.wanted
        if day is None:
            return not wanted.has_period
        since, last = _ordinal(wanted.since), _ordinal(wanted.last_day)
        return (since is None or since <= day) and (last is None or day <= last)

    def shows(self, status: str) -> bool:
        """Whether hits of this status are shown; archived ones unasked only where one looks for old things."""
        if self.wanted.status:
            return status in self.wanted.status
        return status != Status.ARCHIVED or Tier.COLD in self.tiers

    @property
    def _of_details(self) -> dict[str, Sequence[str]]:
        """The readers and the thread that a detail has to have; files have neither."""
        wanted = self.wanted
        if wanted.tier is not Reach.DETAIL:
            return {}
        anybody = wanted.reader is None and wanted.user_id is None
        readers = {} if anybody else {READERS: (ANYBODY, *_reader_names(wanted))}
        return {**readers, **({THREAD: (wanted.thread_id,)} if wanted.thread_id else {})}


def steps(wanted: SearchRequest) -> tuple[Scope, ...]:
    """The scopes to look through one after the other, until one's hits, with those before it, answer."""
    return tuple(Scope(wanted, tiers) for tiers in _STEPS[wanted.tier])


def _reader_names(wanted: SearchRequest) -> Iterator[str]:
    user = wanted.user_id or ""
    if wanted.reader is None:
        yield reader_name(user)
    if wanted.reader:
        yield reader_name(user, wanted.reader)
    if wanted.reader is not None and user:
        yield reader_name(user, None)


def _texts(value: object) -> Sequence[str]:
    """The values of a keyword field."""
    return value if isinstance(value, list) else [value] if isinstance(value, str) else []


def _one_of(value: object, values: Sequence[str]) -> bool:
    return not values or value in values


def _ordinal(day: date | None) -> int | None:
    return day.toordinal() if day else None


def passages_wanted(wanted: RecallRequest) -> SearchRequest:
    """The search for the passages of facts; what has no day is left out where days count."""
    kinds = wanted.kind or RECALL_KINDS
    entries = tuple(kind.value for kind in Kind) if _ENTRIES in kinds else ()
    # Not checked: between so many days ago and the last day there may be no day, and so no fact.
    return SearchRequest.model_construct(
        query=wanted.query,
        k=wanted.k,
        tier=Reach.ALL,
        since=wanted.since,
        until=min((day for day in (wanted.until, wanted.as_of) if day), default=None),
        kind=(*entries, *(kind for kind in kinds if kind != _ENTRIES)),
        entity=wanted.entity,
        project=wanted.project,
        as_of=wanted.as_of,
        reader=wanted.reader,
    )
