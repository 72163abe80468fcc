"""The questions that the service answers, and that a command answers itself where there is none: the same way."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from datetime import date
from threading import Condition
from typing import Any

from pydantic import Field, ValidationError, field_validator

from pipeline.app_index import OpenIndex
from pipeline.errors import PipelineError
from pipeline.index.asking.answering import Answering
from pipeline.index.asking.places import read_place
from pipeline.index.asking.search import Wanted
from pipeline.service.asking import NoQuestion
from schemas.base import Value
from schemas.entry import Status
from schemas.hit import Reach

AT_WORK = 8
"""How many questions are at work at once: most of them wait for an embedder on a server, or for each other."""
RANKED_AGAIN = 1
"""How many of them may be ranked again: a model that does it takes both what memory and what processors there are."""
TURN_SECONDS = 20.0
"""For how long a question waits for its turn: who asks waits 30 s in all, and is better told at once to look itself."""


class NoTurn(PipelineError):
    """There are so many questions that this one does not get its turn, or no more are taken."""

    exit_code = 75

    def __init__(self) -> None:
        super().__init__("Too many questions are asked at once, or no more are answered. Ask again.")


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


class Room:
    """Has a few places; who comes when all are taken waits, first come first served, or until the room is closed."""

    def __init__(self, places: int, patience: float) -> None:
        """`patience` is for how many seconds to wait."""
        self._free, self._patience, self._open = places, patience, True
        self._waiting: list[object] = []
        self._changed = Condition()

    @property
    def waiting(self) -> int:
        """How many wait now."""
        return len(self._waiting)

    @contextmanager
    def place(self) -> Iterator[None]:
        """Have one of the places.

        Raises:
            NoTurn: none got free in time, or the room is closed.
        """
        self._enter()
        try:
            yield
        finally:
            with self._changed:
                self._free += 1
                self._changed.notify_all()

    def close(self) -> None:
        """Let nobody in any more; who is in may stay."""
        with self._changed:
            self._open = False
            self._changed.notify_all()

    def _enter(self) -> None:
        mine = object()
        with self._changed:
            self._waiting.append(mine)
            try:
                self._changed.wait_for(lambda: self._is_next(mine) or not self._open, self._patience)
                if not (self._open and self._is_next(mine)):
                    raise NoTurn
                self._free -= 1
            finally:
                self._waiting.remove(mine)
                self._changed.notify_all()

    def _is_next(self, who: object) -> bool:
        return self._free > 0 and self._waiting[0] is who


class Desk:
    """Answers questions by an open index; from several threads, a few at a time.

    Those that are to be ranked again, which takes seconds, wait for each other, so that all others find a place.
    """

    def __init__(self, opened: OpenIndex, turn: float = TURN_SECONDS) -> None:
        """`turn` is for how many seconds a question waits for its turn."""
        self._searching = opened.searching
        self._answering = Answering(opened.indexing, opened.searching)
        self._at_work, self._ranked_again = Room(AT_WORK, turn), Room(RANKED_AGAIN, turn)

    def search(self, told: Mapping[str, Any]) -> dict[str, Any]:
        """An `Answer` as JSON; `told` are the fields of a `Question`.

        Raises:
            NoQuestion: they are not.
            NoTurn: too many others are asked, or the desk is closed.
            PipelineError: the index cannot be used.
        """
        try:
            wanted = Question.model_validate(told).wanted
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(map(str, first["loc"])) or "it"
            why = f"{where}: {first['msg']}"
            raise NoQuestion(why) from error
        with self._ranked_again.place() if wanted.rerank else nullcontext(), self._at_work.place():
            return self._answering(wanted).model_dump(mode="json")

    def get(self, told: Mapping[str, Any]) -> dict[str, Any]:
        """A `Hit` as JSON, that of the `place` told.

        Raises:
            NoQuestion: no place is told.
            NoTurn: too many others are asked, or the desk is closed.
            PipelineError: there is no such place, or it cannot be read.
        """
        if set(told) != {"place"} or not isinstance(told["place"], str):
            why = 'a place is asked for as {"place": "..."}'
            raise NoQuestion(why)
        with self._at_work.place():
            return read_place(self._searching, told["place"]).model_dump(mode="json")

    def close(self) -> None:
        """Take no more questions, and send those away that wait for their turn; those at work are answered."""
        self._ranked_again.close()
        self._at_work.close()
