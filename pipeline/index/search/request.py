"""The request of a search, and the scope of its passages."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final

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
from schemas.fact import FactKind
from schemas.hit import Reach, Tier

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


@dataclass(frozen=True)
class SearchRequest:
    """A question and its limits: `k` hits, days from `since` to `until`, both inside; an empty tuple limits nothing.

    With `as_of` everything is as it was at the end of that day; relative dates in the question count from it too.
    `entities` are names, of which a passage has to have one, or another name of that entity; `projects` are names of
    projects, of which it has to go by one.
    `reader` is the agent that asks: it gets no file in the folder of another agent, and of details its own and those of
    nobody; an empty name is an agent without a memory, and `None` a person, who gets all.
    Two are for details alone: `thread` is the conversation that they have to belong to, and `user` is as whom the
    reader asks. An agent without one asks as the owner, and a person gets those of all users.
    """

    text: str
    k: int = 6
    reach: Reach = Reach.AUTO
    since: date | None = None
    until: date | None = None
    kinds: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    as_of: date | None = None
    rerank: bool = False
    thread: str = ""
    reader: str | None = None
    user: str | None = None

    @property
    def dated(self) -> bool:
        """Whether only what has a day is asked for."""
        return self.since is not None or self.until is not None

    @property
    def last(self) -> date | None:
        """The last day that may answer."""
        return min((day for day in (self.until, self.as_of) if day), default=None)


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
        by_day = wanted.dated or wanted.last is not None if dated is None else dated
        days = {DAY: (_ordinal(wanted.since), _ordinal(wanted.last))} if by_day else {}
        return Where(any_of=dict(self._keywords()), between=days)

    def has(self, payload: Mapping[str, Any]) -> bool:
        """Whether a passage is in the scope, its status apart."""
        wanted = self.wanted
        return (
            payload.get(TIER) in self.tiers
            and _one_of(payload.get(KIND), wanted.kinds)
            and _one_of(payload.get(AGENT), wanted.agents)
            and (not wanted.entities or not set(wanted.entities).isdisjoint(payload.get(ENTITIES) or ()))
            and (not wanted.projects or not set(wanted.projects).isdisjoint(payload.get(PROJECT) or ()))
            and self.in_time(payload.get(DAY))
            and all(not set(values).isdisjoint(_texts(payload.get(name))) for name, values in self._of_details.items())
        )

    def in_time(self, day: int | None) -> bool:
        """Whether a day, an ordinal, is one of those wanted; no day is, unless `since` or `until` ask for days."""
        wanted = self.wanted
        if day is None:
            return not wanted.dated
        since, last = _ordinal(wanted.since), _ordinal(wanted.last)
        return (since is None or since <= day) and (last is None or day <= last)

    def shows(self, status: str) -> bool:
        """Whether hits of this status are shown; archived ones unasked only where one looks for old things."""
        if self.wanted.statuses:
            return status in self.wanted.statuses
        return status != Status.ARCHIVED or Tier.COLD in self.tiers

    def _keywords(self) -> Mapping[str, Sequence[str]]:
        wanted = self.wanted
        keywords: dict[str, Sequence[str]] = {SORT: (PASSAGE,), TIER: tuple(tier.value for tier in self.tiers)}
        named = {KIND: wanted.kinds, AGENT: wanted.agents, ENTITIES: wanted.entities, PROJECT: wanted.projects}
        return keywords | {field: values for field, values in named.items() if values} | self._of_details

    @property
    def _of_details(self) -> dict[str, Sequence[str]]:
        """What a detail has to have; of files there is nothing of the sort."""
        wanted = self.wanted
        if wanted.reach is not Reach.DETAIL:
            return {}
        anybody = wanted.reader is None and wanted.user is None
        readers = {} if anybody else {READERS: (ANYBODY, *_reader_names(wanted))}
        return {**readers, **({THREAD: (wanted.thread,)} if wanted.thread else {})}


def steps(wanted: SearchRequest) -> tuple[Scope, ...]:
    """The scopes to look through one after the other, until one's hits, with those before it, answer."""
    return tuple(Scope(wanted, tiers) for tiers in _STEPS[wanted.reach])


def _reader_names(wanted: SearchRequest) -> Iterator[str]:
    user = wanted.user or ""
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


DECISION: Final = "decision"
"""The kind that stands for all kinds of entries."""
KINDS: Final = (*(kind.term for kind in FactKind), DECISION)
MOST: Final = 25
"""Facts of an answer that names no number."""


@dataclass(frozen=True)
class RecallRequest:
    """A question about facts; without `text` all facts that the rest lets through, newest first.

    `k` is the most facts. `since` is a day, or how long ago. `entities` are names of which a fact has to have one,
    `projects` names of projects of which its own has to go by one, `kinds` are of `KINDS`; empty tuples limit nothing.
    `least` is the lowest confidence, 0 to 1. With `as_of` everything is as it was at the end of that day. `reader` is
    the agent that asks, and `None` a person.
    """

    text: str = ""
    k: int = MOST
    since: date | timedelta | None = None
    until: date | None = None
    as_of: date | None = None
    entities: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    least: float = 0.0
    reader: str | None = None

    def search(self, today: date) -> SearchRequest:
        """The request as a search for passages; what has no day is left out where days count."""
        last = min((day for day in (self.until, self.as_of) if day), default=None)
        since = today - self.since if isinstance(self.since, timedelta) else self.since
        return SearchRequest(
            text=self.text,
            k=self.k,
            reach=Reach.ALL,
            since=since,
            until=last,
            kinds=tuple(_passage_kinds(self.kinds or KINDS)),
            entities=self.entities,
            projects=self.projects,
            as_of=self.as_of,
            reader=self.reader,
        )


def _passage_kinds(kinds: tuple[str, ...]) -> list[str]:
    entries = [kind.value for kind in Kind] if DECISION in kinds else []
    return [*entries, *(kind for kind in kinds if kind != DECISION)]
