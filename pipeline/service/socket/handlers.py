"""The questions that the service answers, and that a command answers itself where there is none: the same way."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import date
from threading import Semaphore
from typing import Any

from pydantic import Field, ValidationError, field_validator

from pipeline.app.index import OpenIndex
from pipeline.clock import stopwatch
from pipeline.errors import PipelineError
from pipeline.index.search.fresh_search import Answering
from pipeline.index.search.get import read_place
from pipeline.index.search.search import SearchRequest
from pipeline.service.socket.client import NoQuestion
from schemas.base import Value
from schemas.entry import Status
from schemas.hit import Reach

AT_WORK = 8
"""How many questions are at work at once: most of them wait for an embedder on a server, or for each other."""
RANKED_AGAIN = 1
"""How many questions may be reranked at a time: a reranker takes both memory and all processors."""
TURN_SECONDS = 20.0
"""How long a question waits for its turn: a client waits 30 s in all, and should have time left to search itself."""


class NoTurn(PipelineError):
    """There are so many questions that this one does not get its turn, or no more are taken."""

    exit_code = 75

    def __init__(self) -> None:
        super().__init__("Too many questions are asked at once, or no more are answered. Ask again.")


class SearchLine(Value):
    """A search request with its options, as a line of `memory search --stdin` names them."""

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
            as_of=self.as_of,
            rerank=self.rerank,
        )


class RequestHandler:
    """Answers questions by an open index; from several threads, a few at a time.

    Those that are to be ranked again, which takes seconds, wait for each other, so that all others find a place.
    """

    def __init__(self, opened: OpenIndex, turn: float = TURN_SECONDS) -> None:
        """`turn` is for how many seconds a question waits for its turn."""
        self._searching = opened.searching
        self._answering = Answering(opened.indexing, opened.searching)
        self._at_work, self._ranked_again = Semaphore(AT_WORK), Semaphore(RANKED_AGAIN)
        self._patience, self._closed = turn, False

    def search(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """An `Answer` as JSON; `request` has the fields of a `SearchLine`.

        Raises:
            NoQuestion: they are not.
            NoTurn: too many others are asked, or the handler is closed.
            PipelineError: the index cannot be used.
        """
        try:
            wanted = SearchLine.model_validate(request).wanted
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(map(str, first["loc"])) or "it"
            why = f"{where}: {first['msg']}"
            raise NoQuestion(why) from error
        turns = (self._ranked_again, self._at_work) if wanted.rerank else (self._at_work,)
        with self._turn(*turns):
            return self._answering(wanted).model_dump(mode="json")

    def get(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """A `Hit` as JSON, of the `place` in the request.

        Raises:
            NoQuestion: the request names no place.
            NoTurn: too many questions are under way, or the handler is closed.
            PipelineError: there is no such place, or it cannot be read.
        """
        if set(request) != {"place"} or not isinstance(request["place"], str):
            why = 'a place is asked for as {"place": "..."}'
            raise NoQuestion(why)
        with self._turn(self._at_work):
            return read_place(self._searching, request["place"]).model_dump(mode="json")

    def close(self) -> None:
        """Take no more questions, and refuse those that wait for their turn; those under way are answered."""
        self._closed = True
        for semaphore in (self._ranked_again, self._at_work):
            semaphore.release()  # one more than there are: a waiting thread passes it on

    @contextmanager
    def _turn(self, *semaphores: Semaphore) -> Iterator[None]:
        """Have one place of each, got in this order and all within the patience there is.

        Raises:
            NoTurn: there was none in time, or the handler is closed.
        """
        until = stopwatch() + self._patience
        with ExitStack() as held:
            for semaphore in semaphores:
                if not semaphore.acquire(timeout=max(until - stopwatch(), 0.0)):
                    raise NoTurn
                held.callback(semaphore.release)
                if self._closed:
                    raise NoTurn
            yield
