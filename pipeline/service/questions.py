"""The questions that the service answers, and that a command answers itself where there is none: the same way."""

from collections.abc import Mapping
from datetime import date
from threading import Lock
from typing import Any

from pydantic import Field, ValidationError, field_validator

from pipeline.app_index import OpenIndex
from pipeline.index.asking.answering import Answering
from pipeline.index.asking.places import read_place
from pipeline.index.asking.search import Wanted
from pipeline.service.asking import NoQuestion
from schemas.base import Value
from schemas.entry import Status
from schemas.hit import Reach


class Question(Value):
    """What is searched for, with its options, as a line of `memory search --stdin` names them."""

    query: str
    k: int = Field(default=6, ge=1, le=1000)
    tier: Reach = Reach.AUTO
    since: date | None = None
    until: date | None = None
    kind: tuple[str, ...] = ()
    status: tuple[Status, ...] = ()
    agent: tuple[str, ...] = ()
    as_of: date | None = None
    rerank: bool = False

    @field_validator("kind", "status", "agent", mode="before")
    @classmethod
    def _one_or_more(cls, told: object) -> object:
        return (told,) if isinstance(told, str) else told

    @property
    def wanted(self) -> Wanted:
        """The question as the index takes it."""
        return Wanted(
            text=self.query,
            k=self.k,
            reach=self.tier,
            since=self.since,
            until=self.until,
            kinds=self.kind,
            statuses=tuple(each.value for each in self.status),
            agents=self.agent,
            as_of=self.as_of,
            rerank=self.rerank,
        )


class Desk:
    """Answers questions by an open index; from several threads, one search at a time."""

    def __init__(self, opened: OpenIndex) -> None:
        self._searching = opened.searching
        self._answering = Answering(opened.indexing, opened.searching)
        self._lock = Lock()

    def search(self, told: Mapping[str, Any]) -> dict[str, Any]:
        """An `Answer` as JSON; `told` are the fields of a `Question`.

        Raises:
            NoQuestion: they are not.
            PipelineError: the index cannot be used.
        """
        try:
            wanted = Question.model_validate(told).wanted
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(map(str, first["loc"])) or "it"
            why = f"{where}: {first['msg']}"
            raise NoQuestion(why) from error
        with self._lock:
            return self._answering(wanted).model_dump(mode="json")

    def get(self, told: Mapping[str, Any]) -> dict[str, Any]:
        """A `Hit` as JSON, that of the `place` told.

        Raises:
            NoQuestion: no place is told.
            PipelineError: there is no such place, or it cannot be read.
        """
        if set(told) != {"place"} or not isinstance(told["place"], str):
            why = 'a place is asked for as {"place": "..."}'
            raise NoQuestion(why)
        return read_place(self._searching, told["place"]).model_dump(mode="json")
