"""The questions of a back-fill in batches: written down, sent, looked after, and never sent twice.

A question is in the ledger before it is sent, and stays there until its reply has come or has to be asked directly. The
runs themselves take the replies, in order of time, as they would take answers: so what was forgotten, corrected or done
otherwise meanwhile is asked by nobody, and its reply is not written.
"""

import json
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any

from pipeline.backfill.foresee import expected_tokens, foreseen_tasks
from pipeline.backfill.plan import Planned
from pipeline.engine.context import Engine
from pipeline.errors import BatchRefused
from pipeline.events import Event
from pipeline.job import Task
from pipeline.ledger.answers import SentBatch
from pipeline.model.prices import in_batch
from pipeline.model.question import id_of, name_of, question_of
from pipeline.ports.engine import BatchServer, LanguageModel, Question, Reply

_LOCK = "model_batches"
_ID_BYTES = 8
_MOST_QUESTIONS, _MOST_CHARACTERS = 50_000, 60_000_000
"""Of one batch: servers take 50,000 requests, and 100 or 200 MB; a character may take three bytes."""
_LONGEST = timedelta(days=1)
"""The longest time that a batch which was given up may take to end."""
_LOCKED_FOR = timedelta(minutes=10)


class BatchedQuestions:
    """The questions of a plan, in batches of a server."""

    def __init__(self, engine: Engine, server: BatchServer, model: LanguageModel, plan: Iterable[Planned]) -> None:
        """`model` is the one of the engine. The catalog must have been refreshed."""
        self._engine, self._server, self._model, self._plan = engine, server, model, list(plan)
        self._batches = engine.ledger.answers.batches

    def settle(self, *, all_of_them: bool = True) -> None:
        """Look at the batches that are under way: keep the replies of those that have ended.

        Not `all_of_them` leaves out those during which something was forgotten: only who knows all that is asked can
        tell whether their replies are still wanted.

        Raises:
            Held: another process does so.
            ModelUnavailable: the server does not answer.
        """
        with self._hold_lock():
            for batch in self._batches.open():
                self._engine.safe_point()
                remote = batch.remote or self._remote_of(batch)
                if remote and (all_of_them or not self._batches.doubtful(batch.id)):
                    self._look_at(batch, remote)

    def send(self, max_tokens: int | None) -> None:
        """Send what the plan asks and no batch holds yet, up to `max_tokens`, in and out.

        With such a limit nothing is sent while a batch is under way: nobody knows what that one will have cost.

        Raises:
            Held: another process does so.
            ModelUnavailable: the server does not answer.
        """
        with self._hold_lock():
            if max_tokens is not None and self._batches.open():
                return
            for model, questions in self._new(max_tokens).items():
                for portion in _portions(questions):
                    self._send(model, portion)

    def _new(self, max_tokens: int | None) -> dict[str, dict[str, Question]]:
        """The questions that no batch holds, by the name of their model and by id."""
        known, size, by_model = self._batches.question_ids(), 0, dict[str, dict[str, Question]]()
        for name, task in self._tasks():
            if name not in known:
                size += expected_tokens(task)
                if max_tokens is not None and size > max_tokens:
                    break
                model = name_of(self._model, task)
                by_model.setdefault(model, {})[name] = question_of(task)
        return by_model

    def _tasks(self) -> Iterator[tuple[str, Task[Any]]]:
        """The questions that the plan is known to ask, by their ids, each once."""
        seen, asker = set[str](), self._engine.asker()
        for model, task in foreseen_tasks(self._engine, self._plan, asker):
            name = id_of(self._model, question_of(task))
            if name not in seen and model is asker.model:
                seen.add(name)
                yield name, task

    def _send(self, model: str, questions: Mapping[str, Question]) -> None:
        engine, batch = self._engine, f"memory-{secrets.token_hex(_ID_BYTES)}"
        self._batches.begin(batch, model, questions)
        try:
            remote = self._server.send(batch, questions)
        except BatchRefused as refusal:
            self._end(SentBatch(batch, model, "", engine.clock.now(), len(questions)), {}, refusal.reason)
            return
        self._batches.note_remote(batch, remote)
        engine.emit(Event.BATCH_SENT, batch=batch, model=model, questions=len(questions))

    def _remote_of(self, batch: SentBatch) -> str:
        """The server's id of a batch of which it could not tell us; of one that it has not, the questions are free."""
        remote = self._server.find(batch.id)
        if remote:
            self._batches.note_remote(batch.id, remote)
        elif self._age(batch) > self._engine.settings.model.timeout:  # else it may still be on its way
            self._batches.free(batch.id)
        return remote

    def _look_at(self, batch: SentBatch, remote: str) -> None:
        look, patience = self._server.look(remote), self._engine.settings.model.give_up_after
        if not look.ended and self._age(batch) > patience:
            self._server.cancel(remote)
            look = self._server.look(remote)
        if not look.ended and self._age(batch) <= patience + _LONGEST:
            return
        doubtful = self._batches.doubtful(batch.id)
        asked = {name for name, _ in self._tasks()} if doubtful else set[str]()
        # Of what was forgotten meanwhile nobody asks any more.
        unwanted = (doubtful - asked) & look.replies.keys()
        # Answers that no run will take count with the newest run.
        spent, ledger = sum((look.replies[name].usage for name in unwanted), look.spent), self._engine.ledger
        for newest in ledger.runs.latest(limit=1) if spent.asked else ():
            ledger.spending.note(newest.run_id, {in_batch(batch.model): spent})
        replies = {name: reply for name, reply in look.replies.items() if name not in unwanted}
        self._end(batch, replies, "" if look.ended else "it did not come to its end")

    def _end(self, batch: SentBatch, replies: Mapping[str, Reply], reason: str) -> None:
        self._batches.end(batch.id, replies)
        counts = {"questions": batch.questions, "replies": len(replies)}
        self._engine.emit(Event.BATCH_ENDED, batch=batch.id, **counts, reason=reason)

    def _age(self, batch: SentBatch) -> timedelta:
        return self._engine.clock.now() - batch.sent

    def _hold_lock(self) -> AbstractContextManager[None]:
        """No other process looks at batches or sends any meanwhile."""
        engine = self._engine
        now = engine.clock.now()
        return engine.locks.hold((_LOCK,), engine.new_run_id(now), now + _LOCKED_FOR)


def _portions(questions: Mapping[str, Question]) -> Iterator[dict[str, Question]]:
    """The questions in portions that a server takes."""
    portion, size = dict[str, Question](), 0
    for name, question in questions.items():
        size += len(question.instructions) + len(question.input) + len(json.dumps(question.schema))
        if portion and (len(portion) == _MOST_QUESTIONS or size > _MOST_CHARACTERS):
            yield portion
            portion, size = {}, 0
        portion[name] = question
    if portion:
        yield portion
