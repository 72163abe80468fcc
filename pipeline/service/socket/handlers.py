"""The questions to the index, which a command answers itself where there is no service: the same way."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, Literal, Self, TypeVar

from pydantic import Field, field_validator, model_validator

from pipeline.app.index import OpenIndex
from pipeline.app.said_readers import SaidReader, access_of
from pipeline.clock import stopwatch
from pipeline.errors import Held, IndexUnavailable, WriteFailed
from pipeline.index.said.get import read_said
from pipeline.index.said.request import SaidAccess, SaidRequest
from pipeline.index.said.search import SaidAnswer, search_said
from pipeline.index.said.standing import marked_hits
from pipeline.index.search.fresh_search import Answering
from pipeline.index.search.get import read_place
from pipeline.index.search.query import encodable
from pipeline.index.search.request import MOST, RecallRequest
from pipeline.index.search.search import SearchRequest
from pipeline.service.socket.questions import Fields, SocketQuestion, checked
from pipeline.service.socket.settings_in_use import INDEX_SETTINGS
from pipeline.service.socket.turns import Turns
from schemas.base import Duration, Value
from schemas.entry import Status
from schemas.hit import Answer, Reach, Tier
from schemas.said import ADDRESS, SaidHit
from schemas.search_limits import wrong_kind
from schemas.settings import Settings

_Wanted = TypeVar("_Wanted", SearchRequest, RecallRequest, SaidRequest)
_AGO = re.compile(r"(\d{1,5})d")


class SearchLine(Value):
    """A search request with its options, as a line of `memory search --stdin` names them.

    `reader` is the agent that asks: it gets nothing from the folders of others, and of details its own and nobody's;
    without it one gets all. `project` is a name, or a folder of this machine. `user_id` is as whom it asks for details;
    without one an agent asks as the owner.
    Of what was said an agent is shown what was said to it, in the project of its `folder`; one whose name is empty is
    known by its `client`, the kind of its sessions.
    """

    query: str
    k: int = Field(default=6, ge=1, le=1000)
    tier: Reach = Reach.AUTO
    since: date | None = None
    until: date | None = None
    kind: tuple[str, ...] = ()
    status: tuple[Status, ...] = ()
    agent: tuple[str, ...] = ()
    entity: tuple[str, ...] = ()
    project: tuple[str, ...] = ()
    as_of: date | None = None
    rerank: bool = False
    thread_id: str = ""
    reader: str | None = None
    user_id: str | None = None
    client: str = ""
    folder: str = ""

    @model_validator(mode="after")
    def _of_details(self) -> Self:
        if self.user_id is not None and self.tier is not Reach.DETAIL:
            message = "user_id is for details alone: say tier detail with it"
            raise ValueError(message)
        if self.thread_id and self.tier is not Reach.DETAIL:
            message = "thread_id is for details alone: say tier detail with it"
            raise ValueError(message)
        if self.project and self.tier is Reach.DETAIL:
            message = "project is for the memory alone: a detail belongs to a conversation"
            raise ValueError(message)
        if fault := wrong_kind(self.kind, of_details=self.tier is Reach.DETAIL):
            raise ValueError(fault)
        return self

    @field_validator("kind", "status", "agent", "entity", "project", mode="before")
    @classmethod
    def _one_or_more(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value

    @property
    def wanted(self) -> SearchRequest:
        """The question as the index takes it."""
        return SearchRequest(
            text=self.query,
            k=self.k,
            reach=self.tier,
            since=self.since,
            until=self.until,
            kinds=self.kind,
            statuses=tuple(status.value for status in self.status),
            agents=self.agent,
            entities=self.entity,
            projects=self.project,
            as_of=self.as_of,
            rerank=self.rerank,
            thread=self.thread_id,
            reader=self.reader,
            user=self.user_id,
        )

    @property
    def asks_for_said(self) -> bool:
        """Whether what was said may answer it: it has no kind, no status, and names no entity."""
        narrowed = self.kind or self.status or self.agent or self.entity
        return self.tier is Reach.SAID or not (narrowed or self.tier is Reach.DETAIL)

    def said(self, access: SaidAccess) -> SaidRequest:
        """The question about what was said, for somebody who may be shown so much."""
        until = min((day for day in (self.until, self.as_of) if day), default=None)
        return SaidRequest(self.query, self.k, self.since, until, self.project, access)


class RecallLine(Value):
    """A request to recall facts; `since` is a day, or how many days ago (`30d`).

    `reader` is the agent that asks; without it one gets all.
    """

    query: str = ""
    k: int = Field(default=MOST, ge=1, le=1000)
    since: date | Duration | None = None
    until: date | None = None
    as_of: date | None = None
    entity: tuple[str, ...] = ()
    project: tuple[str, ...] = ()
    kind: tuple[Literal["world", "experience", "opinion", "observation", "decision"], ...] = ()
    min_confidence: float = Field(default=0.0, ge=0, le=1)
    reader: str | None = None

    @field_validator("kind", "entity", "project", mode="before")
    @classmethod
    def _one_or_more(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value

    @field_validator("since", mode="before")
    @classmethod
    def _ago(cls, value: object) -> object:
        days = _AGO.fullmatch(value) if isinstance(value, str) else None
        return timedelta(days=int(days[1])) if days else value

    @property
    def wanted(self) -> RecallRequest:
        """The request as the index takes it."""
        return RecallRequest(
            text=self.query,
            k=self.k,
            since=self.since,
            until=self.until,
            as_of=self.as_of,
            entities=self.entity,
            projects=self.project,
            kinds=self.kind,
            least=self.min_confidence,
            reader=self.reader,
        )


class PlaceLine(Value):
    """A place to read; `reader`, `client` and `folder` say who asks, as in a `SearchLine`."""

    place: str
    reader: str | None = None
    client: str = ""
    folder: str = ""


class RequestHandler:
    """Answers questions by an open index; from several threads, a few at a time."""

    def __init__(
        self,
        opened: OpenIndex,
        turns: Turns | None = None,
        settings: Callable[[], Settings] | None = None,
        update: Callable[[], tuple[str, ...]] | None = None,
    ) -> None:
        """`settings` gives those of now, by which a reader may be shown what was said.

        `update` takes in what was said before a question, and gives notes; without it another process does.
        """
        self._searching, self._said = opened.searching, opened.said.searching
        self._settings = settings or (lambda: opened.settings)
        self._update = update or tuple
        self._answering = Answering(opened.indexing, opened.searching)
        self._of_details = Answering(opened.details.indexing, opened.details.searching)
        self._turns = turns or Turns()
        self._project_named = opened.project_named

    @property
    def questions(self) -> dict[str, SocketQuestion]:
        """The questions that it answers."""
        return {
            "search": SocketQuestion(self.search, INDEX_SETTINGS, INDEX_SETTINGS),
            "recall": SocketQuestion(self.recall, INDEX_SETTINGS, INDEX_SETTINGS),
            "get": SocketQuestion(self.get, INDEX_SETTINGS, INDEX_SETTINGS),
        }

    def search(self, request: Fields) -> dict[str, Any]:
        """An `Answer` as JSON; `request` has the fields of a `SearchLine`."""
        line = checked(SearchLine, request)
        wanted = self._in_projects(line.wanted)
        with self._turns.taken(ranked_again=wanted.rerank):
            if line.tier is Reach.SAID:
                return self._with_said(line, Answer(query=encodable(line.query), hits=())).model_dump(mode="json")
            answering = self._of_details if wanted.reach is Reach.DETAIL else self._answering
            return self._with_said(line, answering(wanted)).model_dump(mode="json")

    def _with_said(self, line: SearchLine, answer: Answer) -> Answer:
        """The answer with what was said; when that alone is asked for, with the notes on it."""
        if not (line.asks_for_said and self._settings().search.said):
            off = ("What was said is not searched: search.said is off.",) if line.tier is Reach.SAID else ()
            return answer.model_copy(update={"notes": (*answer.notes, *off)}) if off else answer
        began, notes = stopwatch(), self._update()
        alone, hits = line.tier is Reach.SAID, tuple[SaidHit, ...]()
        try:
            said = search_said(self._said, self._in_projects(line.said(self._access(line))))
            if said.hits:
                notes += self._answering.freshened() if alone else ()
                hits = marked_hits(self._said, self._searching.for_reader(line.reader), said.hits, line.as_of)
        except (IndexUnavailable, Held, WriteFailed) as error:
            said = SaidAnswer(notes=(f"What was said could not be looked through. {error}",))
        return answer.model_copy(
            update={
                "said": hits,
                "notes": (*answer.notes, *(notes or said.notes if alone else notes)),
                "reached": (Tier.SAID,) if alone else answer.reached,
                "milliseconds": round(answer.milliseconds + 1000 * (stopwatch() - began), 3),
            }
        )

    def _access(self, line: SearchLine | PlaceLine) -> SaidAccess:
        project = self._project_named(line.folder) if line.folder else None
        return access_of(self._settings(), SaidReader(line.reader, line.client, project))

    def recall(self, request: Fields) -> dict[str, Any]:
        """A `Recalled` as JSON; `request` has the fields of a `RecallLine`."""
        wanted = self._in_projects(checked(RecallLine, request).wanted)
        with self._turns.taken():
            return self._answering.recalled(wanted).model_dump(mode="json")

    def _in_projects(self, wanted: _Wanted) -> _Wanted:
        """The request with the names of projects in place of folders."""
        return replace(wanted, projects=tuple(map(self._project_named, wanted.projects)))

    def get(self, request: Fields) -> dict[str, Any]:
        """A `Hit` as JSON, or a `SaidPage` for what was said; `request` has the fields of a `PlaceLine`."""
        line = checked(PlaceLine, request)
        with self._turns.taken():
            if line.place.startswith(ADDRESS):
                memory = self._searching.for_reader(line.reader)
                return read_said(self._said, memory, line.place, self._access(line)).model_dump(mode="json")
            return read_place(self._searching, line.place, line.reader).model_dump(mode="json")
