"""The requests that every surface takes: their fields, defaults, limits and rules.

The command line, the service, the page and the tools of agents make these values of their own form, and add no rule.
Days are those of the calendar here: the words for a period are read before (`schemas.periods`), because they depend on
what day is today.
"""

from datetime import date
from typing import Annotated, Self

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, model_validator
from pydantic_core import PydanticCustomError

from schemas.base import RequestValue
from schemas.entry import Kind, Status, Trust
from schemas.hit import Reach
from schemas.search_limits import FACTS, HITS, MOST, RecallKind, wrong_kind

ORDER = "days_in_order"
"""The type of the validator's error when `since` is later than `until`."""


def _tuple_of_text(value: object) -> object:
    return (value,) if isinstance(value, str) else value


Several = BeforeValidator(_tuple_of_text)
"""For a field of several texts, of which one may come by itself."""


def _check_order(until: date | None, info: ValidationInfo) -> date | None:
    since = info.data.get("since")
    if since and until and since > until:
        days = {"since": since.isoformat(), "until": until.isoformat()}
        raise PydanticCustomError(ORDER, "{until} is before since, {since}", days)
    return until


Until = Annotated[date | None, AfterValidator(_check_order)]
"""The last day, inside; not before the day in the field `since`, which stands before it."""


class SearchRequest(RequestValue):
    """A question with its limits: `k` hits, days from `since` to `until`, both inside; an empty tuple limits nothing.

    Days are those of the workspace's time zone. With `as_of` everything is as it was at the end of that day; relative
    dates in the question count from it too. `entity` are names, of which a passage has to have one, or another name of
    that entity; `project` are names of projects, or folders of this machine, of which it has to go by one.
    `reader` is the agent that asks: it gets no file in the folder of another agent, and of details its own and those of
    nobody; an empty name is an agent without a memory, and `None` a person, who gets all.
    Two are for details alone: `thread_id` is the session that they have to belong to, and `user_id` is as whom the
    reader asks. An agent without one asks as the owner, and a person gets those of all users.
    Of what was said an agent is shown what was said to it, in the project of its `folder`; one whose name is empty is
    known by its `client`, the kind of its sessions.
    """

    query: str
    k: int = Field(default=HITS, ge=1, le=MOST)
    tier: Reach = Reach.AUTO
    since: date | None = None
    until: Until = None
    kind: Annotated[tuple[str, ...], Several] = ()
    status: Annotated[tuple[Status, ...], Several] = ()
    agent: Annotated[tuple[str, ...], Several] = ()
    entity: Annotated[tuple[str, ...], Several] = ()
    project: Annotated[tuple[str, ...], Several] = ()
    as_of: date | None = None
    rerank: bool = False
    thread_id: str = ""
    reader: str | None = None
    user_id: str | None = None
    client: str = ""
    folder: str = ""

    @property
    def fault(self) -> str:
        """The reason why its fields do not go together, as a sentence; empty where they do."""
        of_details = self.tier is Reach.DETAIL
        if self.user_id is not None and not of_details:
            return "user_id is for stored texts alone: say tier detail with it"
        if self.thread_id and not of_details:
            return "thread_id (--thread) is for stored texts alone: say tier detail with it"
        if self.project and of_details:
            return "project is for the memory alone: a stored text belongs to a session (thread_id, --thread)"
        if self.tier is Reach.SAID and (self.kind or self.status or self.agent or self.entity):
            return "kind, status, agent and entity are for the memory alone: leave them out with tier said"
        return wrong_kind(self.kind, of_details=of_details)

    @model_validator(mode="after")
    def _check_fault(self) -> Self:
        if self.fault:
            raise ValueError(self.fault)
        return self

    @property
    def has_period(self) -> bool:
        """Whether it asks only for what has a day."""
        return self.since is not None or self.until is not None

    @property
    def last_day(self) -> date | None:
        """The last day that may answer."""
        return min((day for day in (self.until, self.as_of) if day), default=None)

    @property
    def asks_for_said(self) -> bool:
        """Whether what was said may answer it: that has no kind, no status, and names no entity."""
        return not (self.kind or self.status or self.agent or self.entity or self.tier is Reach.DETAIL)


class RecallRequest(RequestValue):
    """A question about facts; without a `query` all facts that the rest lets through, newest first.

    `k` is the most facts. Days are from `since` to `until`, both inside. `entity` are names of which a fact has to
    have one, `project` names of projects, or folders, of which its own has to go by one; empty tuples limit nothing.
    `min_confidence` is the lowest confidence. With `as_of` everything is as it was at the end of that day. `reader` is
    the agent that asks, and `None` a person.
    """

    query: str = ""
    k: int = Field(default=FACTS, ge=1, le=MOST)
    since: date | None = None
    until: Until = None
    as_of: date | None = None
    entity: Annotated[tuple[str, ...], Several] = ()
    project: Annotated[tuple[str, ...], Several] = ()
    kind: Annotated[tuple[RecallKind, ...], Several] = ()
    min_confidence: float = Field(default=0.0, ge=0, le=1)
    reader: str | None = None


class PlaceRequest(RequestValue):
    """A place to read; `reader`, `client` and `folder` say who asks, as in a `SearchRequest`."""

    place: str
    reader: str | None = None
    client: str = ""
    folder: str = ""


class EntryFilter(RequestValue):
    """The entries that are listed; a field that is not given limits nothing.

    The days from `since` to `until`, both inside, are those of the workspace's time zone. `project` is the name of a
    project, its end, or a folder of this machine; `words` stand in the title, the conclusion or the quote.
    """

    kind: Kind | None = None
    status: Status | None = None
    since: date | None = None
    until: Until = None
    project: str = ""
    trust: Trust | None = None
    words: str = ""
