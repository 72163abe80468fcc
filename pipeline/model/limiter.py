"""How many questions may be under way at once: as many as the server bears."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition

from pipeline.errors import ModelUnavailable
from pipeline.ports.engine import LanguageModel, Question, Reply


class Pace:
    """A limit that follows what the server bears: halved when it is overrun, one more after as many good answers.

    That is additive increase and multiplicative decrease, as TCP has it (RFC 5681). Of several questions that were
    under way together only the first halves it: the others tell the same again.
    """

    def __init__(self, most: int) -> None:
        """Begins at `most`, at least 1, and never goes beyond."""
        self.limit = most
        self._most = most
        self._halvings = 0
        self._good = 0

    def begin(self) -> int:
        """A question begins; give what comes back to the word on how it ended."""
        return self._halvings

    def well(self) -> None:
        """It was answered at once."""
        self._good += 1
        if self._good >= self.limit:
            self._good = 0
            self.limit = min(self.limit + 1, self._most)

    def overrun(self, began: int) -> None:
        """The server refused it for being too busy, or was late."""
        if began == self._halvings:
            self._halvings += 1
            self._good = 0
            self.limit = max(self.limit // 2, 1)


class HeldBack(ModelUnavailable):
    """A question was not asked: it can wait, and the model fails now, or nobody wants the answer any more."""

    def __init__(self, model: str) -> None:
        """`model` is the model's name."""
        super().__init__(model, "the question was held back")


class ConcurrencyLimiter:
    """A `pipeline.ports.engine.LanguageModel` that lets so many questions through to another one as its pace allows.

    The very first goes alone: what a server refuses (a key, a form of asking) is found out by one question. One that is
    refused because the server is busy is asked again at the slower pace; at the slowest, it fails. `tokens` counts what
    all answers cost so far. `well` tells whether the last thing heard of the model was an answer.
    """

    def __init__(self, model: LanguageModel, pace: Pace) -> None:
        """`pace` is used by nobody else."""
        self._model = model
        self._pace = pace
        self._under_way = 0
        self._answered = False
        self._closed = False
        self._changed = Condition()
        self.tokens = 0
        self.well = True

    @property
    def name(self) -> str:
        """The model's."""
        return self._model.name

    def answer(self, question: Question, *, if_well: bool = False) -> Reply:
        """One answer of the model, when its turn has come; with `if_well` only while the model answers.

        From any thread.

        Raises:
            HeldBack: the limiter was closed, or the model fails, before the question was let through.
            ModelUnavailable: the model says so.
        """
        while True:
            with self._turn(if_well=if_well) as began:
                slowest = self._pace.limit == 1
                try:
                    return self._note_reply(began, self._model.answer(question))
                except ModelUnavailable as failure:
                    again = failure.busy and not slowest
                    self._failed(began, failure, again=again)
                    if not again:
                        raise

    def close(self) -> None:
        """Let no question through any more; those that wait for their turn are held back."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @contextmanager
    def _turn(self, *, if_well: bool) -> Iterator[int]:
        with self._changed:
            self._changed.wait_for(lambda: self._has_room() or self._holds_back(if_well=if_well))
            if self._holds_back(if_well=if_well):
                raise HeldBack(self.name)
            self._under_way += 1
            began = self._pace.begin()
        try:
            yield began
        finally:
            with self._changed:
                self._under_way -= 1
                self._changed.notify_all()

    def _has_room(self) -> bool:
        return self._under_way < (self._pace.limit if self._answered else 1)

    def _holds_back(self, *, if_well: bool) -> bool:
        return self._closed or (if_well and not self.well)

    def _note_reply(self, began: int, reply: Reply) -> Reply:
        with self._changed:
            self.well = self._answered = True
            self.tokens += reply.input_tokens + reply.output_tokens
            if reply.retries:
                self._pace.overrun(began)
            else:
                self._pace.well()
        return reply

    def _failed(self, began: int, failure: ModelUnavailable, *, again: bool) -> None:
        with self._changed:
            self.well = self.well and again
            if failure.busy or failure.late:
                self._pace.overrun(began)


class WhileWell:
    """The face of a limiter for questions that can wait: they go through only while the model answers."""

    def __init__(self, limiter: ConcurrencyLimiter) -> None:
        """`limiter` may have other askers."""
        self._limiter = limiter

    @property
    def name(self) -> str:
        """The model's."""
        return self._limiter.name

    def answer(self, question: Question) -> Reply:
        """One answer.

        Raises:
            ModelUnavailable: see `ConcurrencyLimiter.answer`.
        """
        return self._limiter.answer(question, if_well=True)
