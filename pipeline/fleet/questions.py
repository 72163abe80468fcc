"""Questions to a model, asked while nobody has the workspace: a slice collects them, and a later one has the answers.

The database keeps the id of each question, with the reply once it has come, and never its words. A question whose asker
has died is collected again by the next slice that needs it, and counted.
"""

from collections import defaultdict
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from threading import Lock
from typing import Any, Self
from uuid import UUID, uuid4

from psycopg import Connection
from psycopg.rows import TupleRow
from psycopg.types.json import Json

from pipeline.backfill.foresee import expected_tokens, foreseen_tasks
from pipeline.backfill.plan import Planned
from pipeline.engine.context import Engine
from pipeline.errors import AnswerAwaited, BudgetSpent, ModelUnavailable
from pipeline.errors.fleet import FleetError
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.queue import offer_work
from pipeline.model.limiter import ModelNames
from pipeline.model.question import id_of, question_of
from pipeline.ports.engine import Clock, LanguageModel, Question, Reply
from schemas.outcome import Usage

QUESTIONS_AT_ONCE = 32
"""Questions that a worker has under way."""
AHEAD = 4 * QUESTIONS_AT_ONCE
"""Questions of a workspace that are known, or under way, before their windows are run."""
MOST_WAITING_QUESTIONS = 4 * QUESTIONS_AT_ONCE
"""Questions that wait for a worker's model; with more of them no slice collects ahead."""
PATIENCE = timedelta(minutes=10)
"""How long after it was sent a question is taken to be under way; then its asker has died."""
REPLIES_KEPT_FOR = timedelta(days=7)
"""How long a reply is kept that no run has taken, because its window was not run."""
_WAITS = "its answer is awaited while others may have the workspace"

_READ = "SELECT id, asked, reply, failure, taken FROM question WHERE workspace_id = %s"
_COLLECT = """
INSERT INTO question (workspace_id, id, asker, asked) SELECT %s, given.*, %s, %s FROM unnest(%s::text[]) AS given
ON CONFLICT (workspace_id, id) DO UPDATE
SET asker = excluded.asker, asked = excluded.asked, tries = question.tries + 1, failure = NULL
WHERE question.reply IS NULL
RETURNING tries
"""
_COUNT = "UPDATE workspace SET asked_again = asked_again + %s WHERE id = %s"
_TAKE = "UPDATE question SET taken = true WHERE workspace_id = %s AND id = ANY(%s)"
_DROP = "DELETE FROM question WHERE workspace_id = %s AND id = ANY(%s)"
_DROP_USED = "DELETE FROM question WHERE workspace_id = %s AND (taken OR asked < %s)"
# A question that was collected once more meanwhile is asked for the later time alone.
_CLAIM = """
UPDATE question SET asked = %s
WHERE workspace_id = %s AND id = %s AND asker = %s AND asked = %s AND reply IS NULL AND failure IS NULL
"""
_LOCK = "SELECT FROM workspace WHERE id = %s FOR UPDATE"
_SETTLE = "UPDATE question SET reply = %s, failure = %s WHERE workspace_id = %s AND id = %s AND reply IS NULL"
_CHARGE = """
UPDATE workspace SET input_tokens = input_tokens + %s, output_tokens = output_tokens + %s WHERE id = %s
"""
_GIVE_UP = """
DELETE FROM question WHERE workspace_id = %s AND id = ANY(%s) AND asker = %s AND reply IS NULL AND failure IS NULL
"""
_COLLECT_NOW = "UPDATE workspace SET next_due = least(next_due, %s) WHERE id = %s"
_WAKE = """
UPDATE workspace SET next_due = least(next_due, %(now)s) WHERE id = %(workspace)s AND NOT EXISTS (
  SELECT FROM question WHERE workspace_id = %(workspace)s AND reply IS NULL AND failure IS NULL
)
"""


@dataclass(frozen=True)
class KnownQuestion:
    """A question that was collected: when it was sent last, and its reply or failure, once it has come."""

    asked: datetime
    reply: Reply | None
    failure: dict[str, Any] | None


@dataclass
class SliceQuestions:
    """The questions of a slice: `known` ones have an answer or are under way, others are collected. Safe in threads."""

    now: datetime
    most_ahead: int = AHEAD
    known: dict[str, KnownQuestion] = field(default_factory=dict)
    collected: dict[str, tuple[LanguageModel, Question]] = field(default_factory=dict)
    waits: bool = False
    _ahead: set[str] = field(default_factory=set)
    _taken: set[str] = field(default_factory=set)
    _failed: set[str] = field(default_factory=set)
    _lock: Lock = field(default_factory=Lock)

    @classmethod
    def read(cls, connection: Connection[TupleRow], workspace: UUID, now: datetime, most_ahead: int = AHEAD) -> Self:
        """The questions of a slice in the database. The cost of a reply that an earlier slice has taken is booked."""
        known = {
            name: KnownQuestion(asked, _reply_of(reply, taken=taken) if reply else None, failure)
            for name, asked, reply, failure, taken in connection.execute(_READ, [workspace])
        }
        return cls(now, most_ahead, known)

    def wrap(self, model: LanguageModel) -> LanguageModel:
        """The model for the slice."""
        return _CollectedModel(model, self)

    def collect_ahead(self, engine: Engine, plan: Iterable[Planned]) -> None:
        """Collect the questions that a plan is known to ask, up to a number, and to what the budget has left.

        Those that earlier slices have collected count too: no run has taken them, and no book has their cost.
        """
        asker, tokens = engine.asker(), 0
        with suppress(BudgetSpent):
            for model, task in foreseen_tasks(engine, plan, asker):
                if len(self._ahead) >= self.most_ahead:
                    return
                if isinstance(model, _CollectedModel):
                    tokens += expected_tokens(task)
                    asker.budget.check(0, ahead=tokens)
                    self._ahead.add(model.collect(question_of(task)))

    def collect(self, name: str, model: LanguageModel, question: Question) -> None:
        """Collect a question, unless it has an answer or is under way."""
        known = self.known.get(name)
        with self._lock:
            if not known or not (known.reply or known.failure or self.now < known.asked + PATIENCE):
                self.collected[name] = model, question

    def answer_to(self, name: str, model: str) -> Reply | None:
        """The reply to a question; `None` if it has to be awaited.

        The failure of one that could not be answered is raised; the next slice that needs it collects it anew.
        """
        known = self.known.get(name)
        with self._lock:
            if known and known.failure is not None:
                self._failed.add(name)
                raise _failure_of(model, known.failure)
            if known and known.reply:
                self._taken.add(name)
                return known.reply
            self.waits = True
        return None

    def publish(self, connection: Connection[TupleRow], workspace: UUID, asker: UUID, *, is_cut: bool) -> None:
        """Write the questions down, in the transaction that has passed the fence.

        When a slice was not cut, and waits for nothing, nobody needs the replies that were taken any more.
        """
        connection.execute(_DROP, [workspace, [*self._failed]])
        connection.execute(_TAKE, [workspace, [*self._taken]])
        if not (self.collected or self.waits or is_cut):
            connection.execute(_DROP_USED, [workspace, self.now - REPLIES_KEPT_FOR])
        tries = connection.execute(_COLLECT, [workspace, asker, self.now, [*self.collected]])
        if again := sum(number > 1 for (number,) in tries):
            connection.execute(_COUNT, [again, workspace])


class _CollectedModel(ModelNames):
    """A `LanguageModel` that answers what is known, and collects all else."""

    def __init__(self, model: LanguageModel, questions: SliceQuestions) -> None:
        super().__init__(model)
        self._model, self._questions = model, questions

    def collect(self, question: Question) -> str:
        """Collect a question, unless it has an answer or is under way; its id."""
        name = id_of(self._model, question)
        self._questions.collect(name, self._model, question)
        return name

    def answer(self, question: Question) -> Reply:
        """The answer that has come; the question is awaited, or has failed, when it has not."""
        name = self.background if question.background else self.name
        if reply := self._questions.answer_to(id_of(self._model, question), name):
            return reply
        self.collect(question)
        raise AnswerAwaited(name, _WAITS)


@dataclass(frozen=True)
class QuestionsUnderWay:
    """The questions of all workspaces that a worker has asked a model. Its `id` is noted beside them."""

    database: FleetDatabase
    clock: Clock
    id: UUID = field(default_factory=uuid4)
    _pool: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(QUESTIONS_AT_ONCE, thread_name_prefix="ask")
    )
    _under_way: dict[Future[None], tuple[UUID, str]] = field(default_factory=dict)

    @property
    def is_full(self) -> bool:
        """Whether so many questions wait that nothing more is collected ahead."""
        return sum(not future.done() for future in self._under_way) >= MOST_WAITING_QUESTIONS

    def begin(self, workspace: UUID, questions: SliceQuestions) -> None:
        """Ask what a slice has collected, once that is published."""
        for name, (model, question) in questions.collected.items():
            future = self._pool.submit(self._ask, workspace, name, questions.now, model, question)
            self._under_way[future] = workspace, name

    def settle(self, *, all_of_them: bool) -> bool:
        """Let go of what is answered; with `all_of_them` wait for the rest. Whether anything was answered."""
        done = wait(self._under_way, timeout=None if all_of_them else 0).done
        for future in done:
            future.result()  # an error here is a bug, which nobody else would see
            del self._under_way[future]
        return bool(done)

    def close(self) -> None:
        """Send nothing more, let others ask what was not sent, and wait for the answers that are paid for."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        given_up = defaultdict[UUID, list[str]](list)
        for future, (workspace, name) in self._under_way.items():
            if future.cancelled():
                given_up[workspace].append(name)
        with suppress(FleetError):  # without the database the questions are collected again later
            for workspace, names in given_up.items():
                with self.database.transaction() as connection:
                    connection.execute(_LOCK, [workspace])
                    if connection.execute(_GIVE_UP, [workspace, names, self.id]).rowcount:
                        connection.execute(_COLLECT_NOW, [self.clock.now(), workspace])
                        offer_work(connection, workspace)
        self._pool.shutdown(wait=True)

    def _ask(self, workspace: UUID, name: str, asked: datetime, model: LanguageModel, question: Question) -> None:
        """Ask a question that is still wanted, and write the answer down; with the last one the workspace is due."""
        with suppress(FleetError):  # without an answer there the question is collected again
            with self.database.transaction() as connection:
                if not connection.execute(_CLAIM, [self.clock.now(), workspace, name, self.id, asked]).rowcount:
                    return
            reply, failure = None, None
            try:
                came = model.answer(question)
                reply, usage = Json(asdict(came)), came.usage
            except ModelUnavailable as error:
                failure, usage = Json(_failure_values(error)), error.spent or Usage()
            with self.database.transaction() as connection:
                connection.execute(_LOCK, [workspace])  # so that of two last ones the later one sees the other
                connection.execute(_CHARGE, [usage.input_tokens, usage.output_tokens, workspace])
                connection.execute(_SETTLE, [reply, failure, workspace, name])
                if connection.execute(_WAKE, {"now": self.clock.now(), "workspace": workspace}).rowcount:
                    offer_work(connection, workspace)


def _reply_of(values: dict[str, Any], *, taken: bool) -> Reply:
    reply = Reply(**values)
    return replace(reply, input_tokens=0, output_tokens=0, cached_tokens=0) if taken else reply


def _failure_values(error: ModelUnavailable) -> dict[str, Any]:
    flags = {"busy": error.busy, "late": error.late, "too_long": error.too_long}
    return flags | {"reason": error.reason, "spent": error.spent and error.spent.model_dump(mode="json")}


def _failure_of(model: str, values: dict[str, Any]) -> ModelUnavailable:
    spent = values["spent"]
    return ModelUnavailable(model, **values | {"spent": spent and Usage.model_validate(spent)})
