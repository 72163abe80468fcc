"""The limit of questions at a time: as many as the server bears."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from threading import Condition
from typing import Protocol

from pipeline.clock import to_the_minute
from pipeline.errors import ModelUnavailable, ModelWaits
from pipeline.model.question import id_of
from pipeline.ports.engine import LanguageModel, Question, Reply


class ModelNames:
    """The names of another model, for a model that passes its questions on."""

    def __init__(self, model: LanguageModel) -> None:
        """`model` is the other model."""
        self.name, self.background = model.name, model.background


@dataclass(frozen=True)
class PaceAtStart:
    """The number of halvings, and the limit, when a question began."""

    halvings: int
    limit: int

    @property
    def is_slowest(self) -> bool:
        """Whether no slower pace is left."""
        return self.limit == 1


class Pace:
    """The limit of questions at a time: halved when the server is overrun, one higher after as many good answers.

    That is additive increase and multiplicative decrease, as in TCP (RFC 5681). When several questions under way fail
    together, only the first halves the limit: they report the same overload.
    """

    def __init__(self, most: int) -> None:
        """Begins at `most`, at least 1, and never goes beyond."""
        self.limit = most
        self._most = most
        self._halvings = 0
        self._good = 0

    def begin(self) -> PaceAtStart:
        """The pace at which a question begins; `note_overload` takes it."""
        return PaceAtStart(self._halvings, self.limit)

    def note_answer(self) -> None:
        """Note an answer without a retry."""
        self._good += 1
        if self._good >= self.limit:
            self._good = 0
            self.limit = min(self.limit + 1, self._most)

    def note_overload(self, start: PaceAtStart) -> None:
        """Note that the server was too busy, or late."""
        if start.halvings == self._halvings:
            self._halvings += 1
            self._good = 0
            self.limit = max(self.limit // 2, 1)


class HeldBack(ModelUnavailable):
    """A question was not sent: it can wait and the model fails now, or the limiter was closed."""

    def __init__(self, model: str) -> None:
        """`model` is the model's name."""
        super().__init__(model, "the question was held back")


class ConcurrencyLimiter(ModelNames):
    """A `pipeline.ports.engine.LanguageModel` that passes on as many questions at a time as its pace allows.

    The first question goes alone: one question is enough to find that a server refuses a key or a request format. A
    question that a busy server refuses is asked again at the slower pace; at the slowest pace it fails. `tokens` counts
    all answers so far. `well` is whether the last reply of the model was an answer.
    """

    def __init__(self, model: LanguageModel, pace: Pace) -> None:
        """`pace` must not be shared."""
        super().__init__(model)
        self._model = model
        self._pace = pace
        self._under_way = 0
        self._answered = False
        self._closed = False
        self._changed = Condition()
        self.tokens = 0
        self.well = True

    def answer(self, question: Question, *, if_well: bool = False) -> Reply:
        """The model's answer to one question, in turn; with `if_well` only while the model answers.

        From any thread.

        Raises:
            HeldBack: the limiter was closed, or the model fails, before the question was sent.
            ModelUnavailable: the model failed.
        """
        while True:
            with self._turn(if_well=if_well) as start:
                try:
                    return self._note_reply(start, self._model.answer(question))
                except ModelUnavailable as failure:
                    # By the pace at which it was sent: others that fail meanwhile may have made it the slowest.
                    again = failure.busy and not start.is_slowest
                    self._note_failure(start, failure, again=again)
                    if not again:
                        raise

    def close(self) -> None:
        """Let no question through any more; those that wait for their turn are held back."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @contextmanager
    def _turn(self, *, if_well: bool) -> Iterator[PaceAtStart]:
        with self._changed:
            self._changed.wait_for(lambda: self._has_room() or self._holds_back(if_well=if_well))
            if self._holds_back(if_well=if_well):
                raise HeldBack(self.name)
            self._under_way += 1
            start = self._pace.begin()
        try:
            yield start
        finally:
            with self._changed:
                self._under_way -= 1
                self._changed.notify_all()

    def _has_room(self) -> bool:
        return self._under_way < (self._pace.limit if self._answered else 1)

    def _holds_back(self, *, if_well: bool) -> bool:
        return self._closed or (if_well and not self.well)

    def _note_reply(self, start: PaceAtStart, reply: Reply) -> Reply:
        with self._changed:
            self.well = self._answered = True
            self.tokens += reply.input_tokens + reply.output_tokens
            if reply.retries:
                self._pace.note_overload(start)
            else:
                self._pace.note_answer()
        return reply

    def _note_failure(self, start: PaceAtStart, failure: ModelUnavailable, *, again: bool) -> None:
        with self._changed:
            self.tokens += failure.spent.tokens if failure.spent else 0
            self.well = self.well and (again or failure.too_long)  # a shorter question may still be answered
            if failure.busy or failure.late:
                self._pace.note_overload(start)


class WhileWell(ModelNames):
    """The face of a limiter for questions that can wait: they go through only while the model answers."""

    def __init__(self, limiter: ConcurrencyLimiter) -> None:
        """`limiter` may have other askers."""
        super().__init__(limiter)
        self._limiter = limiter

    def answer(self, question: Question) -> Reply:
        """An answer.

        Raises:
            ModelUnavailable: see `ConcurrencyLimiter.answer`.
        """
        return self._limiter.answer(question, if_well=True)


class BatchedReplies(Protocol):
    """The replies to questions in batches. Used from any thread."""

    def reply_to(self, question: str) -> Reply | None:
        """The reply that a batch has brought to a question of this id."""

    def sent_at(self, question: str) -> datetime | None:
        """The time when the batch of a question was sent; `None` if it is in no batch."""


class BatchedModel(ModelNames):
    """A `LanguageModel` that takes the replies of batches, waits for those to come, and asks all else directly."""

    def __init__(self, model: LanguageModel, replies: BatchedReplies, zone: str) -> None:
        """`model` is called directly; `zone` is the zone of the workspace."""
        super().__init__(model)
        self._model, self._replies, self._zone = model, replies, zone

    def answer(self, question: Question) -> Reply:
        """An answer.

        Raises:
            ModelUnavailable: the question is in a batch that has not ended; or an error of the model.
        """
        name = id_of(self._model, question)
        if reply := self._replies.reply_to(name):
            return reply
        if sent := self._replies.sent_at(name):
            reason = f"the question is in a batch that was sent {to_the_minute(sent, self._zone)} and has not come back"
            raise ModelWaits(self.background if question.background else self.name, reason)
        return self._model.answer(question)
