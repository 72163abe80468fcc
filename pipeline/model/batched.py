"""A model whose questions may be under way in a batch: what a batch has answered is not asked again."""

from datetime import datetime
from typing import Protocol

from pipeline.clock import to_the_minute
from pipeline.errors import ModelWaits
from pipeline.model.limiter import ModelNames
from pipeline.model.question import id_of
from pipeline.ports.engine import LanguageModel, Question, Reply


class BatchedReplies(Protocol):
    """What is known of questions in batches. Used from any thread."""

    def reply_to(self, question: str) -> Reply | None:
        """The reply that a batch has brought to a question of this id."""

    def sent_at(self, question: str) -> datetime | None:
        """When the batch was sent that a question of this id is in; `None` where it is in none."""


class BatchedModel(ModelNames):
    """A `LanguageModel` that takes the replies of batches, waits for those to come, and asks all else directly."""

    def __init__(self, model: LanguageModel, replies: BatchedReplies, zone: str) -> None:
        """`model` is asked directly; `zone` is that of the workspace."""
        super().__init__(model)
        self._model, self._replies, self._zone = model, replies, zone

    def answer(self, question: Question) -> Reply:
        """One answer.

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
