"""What is to be recalled."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from pipeline.index.search.request import SearchRequest
from schemas.entry import Kind
from schemas.fact import FactKind
from schemas.hit import Reach

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
