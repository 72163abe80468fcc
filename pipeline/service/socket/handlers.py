"""The questions to the index, which a command answers itself where there is no service: the same way."""

import re
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, Literal, Self, TypeVar

from pydantic import Field, field_validator, model_validator

from pipeline.app.index import OpenIndex
from pipeline.index.search.fresh_search import Answering
from pipeline.index.search.get import read_place
from pipeline.index.search.recall_request import MOST, RecallRequest
from pipeline.index.search.search import SearchRequest
from pipeline.service.socket.questions import Fields, SocketQuestion, checked
from pipeline.service.socket.settings_in_use import INDEX_SETTINGS
from pipeline.service.socket.turns import Turns
from schemas.base import Duration, Value
from schemas.entry import Status
from schemas.hit import Reach
from schemas.search_limits import wrong_kind

_Wanted = TypeVar("_Wanted", SearchRequest, RecallRequest)
_AGO = re.compile(r"(\d{1,5})d")


class SearchLine(Value):
    """A search request with its options, as a line of `memory search --stdin` names them.

    `reader` is the agent that asks: it gets nothing from the folders of others, and of details its own and nobody's;
    without it one gets all. `project` is a name, or a folder of this machine. `user_id` is as whom it asks for details;
    without one an agent asks as the owner.
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
    """A place to read; `reader` is the agent that asks, and without it one gets all."""

    place: str
    reader: str | None = None


class RequestHandler:
    """Answers questions by an open index; from several threads, a few at a time."""

    def __init__(self, opened: OpenIndex, turns: Turns | None = None) -> None:
        self._searching = opened.searching
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
        """An `Answer` as JSON; `request` has the fields of a `SearchLine`.

        Raises:
            NoQuestion: they are not.
            NoTurn: too many others are asked, or no more are taken.
            PipelineError: the index cannot be used.
        """
        wanted = self._in_projects(checked(SearchLine, request).wanted)
        with self._turns.taken(ranked_again=wanted.rerank):
            answering = self._of_details if wanted.reach is Reach.DETAIL else self._answering
            return answering(wanted).model_dump(mode="json")

    def recall(self, request: Fields) -> dict[str, Any]:
        """A `Recalled` as JSON; `request` has the fields of a `RecallLine`.

        Raises:
            NoQuestion: they are not.
            NoTurn: too many others are asked, or no more are taken.
            PipelineError: the index cannot be used.
        """
        wanted = self._in_projects(checked(RecallLine, request).wanted)
        with self._turns.taken():
            return self._answering.recalled(wanted).model_dump(mode="json")

    def _in_projects(self, wanted: _Wanted) -> _Wanted:
        """The request with the names of projects in place of folders."""
        return replace(wanted, projects=tuple(map(self._project_named, wanted.projects)))

    def get(self, request: Fields) -> dict[str, Any]:
        """A `Hit` as JSON; `request` has the fields of a `PlaceLine`.

        Raises:
            NoQuestion: they are not.
            NoTurn: too many questions are under way, or no more are taken.
            PipelineError: there is no such place, or it cannot be read.
        """
        line = checked(PlaceLine, request)
        with self._turns.taken():
            return read_place(self._searching, line.place, line.reader).model_dump(mode="json")
