"""`run.models.ask`: the one door to a model. Every answer is checked, so a job gets only answers that fit its task."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol

from pipeline.errors import AnswerAwaited, BudgetSpent, ModelUnavailable, PipelineError
from pipeline.job import OFFLINE, Task
from pipeline.model.answers import ReadAnswer, join_answers, read_answer
from pipeline.model.prices import in_batch
from pipeline.model.question import Answer, Readers, key_of, name_of, question_of
from pipeline.ports.engine import LanguageModel, Reply
from schemas.divisible_input import DivisibleInput
from schemas.outcome import Rejection, Usage

_TOO_LONG = ""
"""Kept in place of the answer to a question that was too long: there may be answers to its parts."""


class AnswerCache(Protocol):
    """Keeps answers, so that a question is paid for once. Used from one thread only."""

    def get(self, key: str) -> str | None:
        """The text of the answer kept under `key`."""

    def put_answer(self, key: str, model: str, reply: Reply) -> None:
        """Keep an answer that fits, with its cost."""

    def settle(self, question: str) -> None:
        """Forget the reply of a batch to this question: it is kept as an answer, or cannot be used."""


class KeptAnswers:
    """The answers of models in a cache, read as their tasks want them. Used from one thread only."""

    def __init__(self, readers: Readers, cache: AnswerCache) -> None:
        """`readers` tell the model of a task."""
        self._readers = readers
        self._cache = cache
        self._cut = set[str]()

    def model_of(self, task: Task[Any]) -> LanguageModel:
        """The model of a task that has a key."""
        return self._readers.models[self._readers.name_of(task.sources)]

    def name_of(self, task: Task[Any]) -> str:
        """The name of the model that a task with a key is put to."""
        return name_of(self.model_of(task), task)

    def key(self, task: Task[Any]) -> str:
        """The key of the answer to a task; empty where no model may see its sources."""
        model = self._readers.of(task.sources)
        return key_of(model, task) if model else ""

    def get(self, key: str, task: Task[Answer]) -> ReadAnswer[Answer] | None:
        """The answer to a task, or the joined answers to all of its parts; `None` without a fitting answer."""
        text = self._cache.get(key)
        if text == _TOO_LONG:
            return join_answers([self.get(*part) for part in self._parts_of(task)])
        read = read_answer(text, task.returns) if text else None
        return read if read and read.value is not None else None

    def get_all(self, tasks: Mapping[str, Task[Answer]]) -> dict[str, ReadAnswer[Answer]]:
        """The answers to the tasks, of those that have an answer."""
        return {key: read for key, task in tasks.items() if (read := self.get(key, task))}

    def is_divided(self, key: str) -> bool:
        """Whether a question was too long for the model, and was asked in parts."""
        return self._cache.get(key) == _TOO_LONG

    def keys(self, key: str, task: Task[Any]) -> Iterator[str]:
        """The key of a task, and those of its parts if it was too long."""
        yield key
        if self._cache.get(key) == _TOO_LONG:
            for part in self._parts_of(task):
                yield from self.keys(*part)

    def still_open(self, key: str, task: Task[Answer]) -> dict[str, Task[Answer]]:
        """The questions to ask, by key, for a task without an answer: if it was too long its parts, else itself.

        A question that was too long for an earlier run is asked whole once more, unless a part of it is answered: the
        model may have a longer context now.
        """
        parts = dict(self._parts_of(task)) if self._cache.get(key) == _TOO_LONG else {}
        if not parts or (key not in self._cut and not any(map(self._has_answers, parts, parts.values()))):
            return {key: task}
        still_open = dict[str, Task[Answer]]()
        for part_key, part in parts.items():
            if self.get(part_key, part) is None:
                still_open |= self.still_open(part_key, part)
        return still_open

    def note_division(self, key: str, task: Task[Any], failure: PipelineError) -> bool:
        """Note a failed question as divided if it was too long and has parts. Returns whether it is divided."""
        if (
            not isinstance(failure, ModelUnavailable)
            or not failure.too_long
            or next(self._parts_of(task), None) is None
        ):
            return False
        self._cut.add(key)
        self._cache.put_answer(key, self.name_of(task), Reply(_TOO_LONG))
        return True

    def _has_answers(self, key: str, task: Task[Any]) -> bool:
        if self._cache.get(key) == _TOO_LONG:
            return any(self._has_answers(*part) for part in self._parts_of(task))
        return self.get(key, task) is not None

    def _parts_of(self, task: Task[Answer]) -> Iterator[tuple[str, Task[Answer]]]:
        if isinstance(task.input, DivisibleInput):
            for part in task.input.parts():
                asked = replace(task, input=part)
                yield key_of(self.model_of(asked), asked), asked


_AGAIN = """

Your last answer could not be used: {problem}.
Answer once more with one JSON object that fits the schema, and nothing else."""

_LOOK_SECONDS = 1.0
UNFIT, CLIPPED = "unfit", "clipped"
"""The reasons for items that were left out of an answer, or labels that were shortened: they do not fit the schema."""


@contextmanager
def _thread_pool(size: int) -> Iterator[ThreadPoolExecutor]:
    """Threads for questions. An abandoned answer is not waited for: its thread ends with the process."""
    pool = ThreadPoolExecutor(size, thread_name_prefix="ask")
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


class Budget(Protocol):
    """The budget of a run, in tokens."""

    def check(self, spent: int, ahead: int = 0) -> None:
        """Ask before each question; `spent` are the tokens of this run, which no book holds yet.

        `ahead` are tokens of answers for later runs, which no book holds either.

        Raises:
            BudgetSpent: nothing is left.
        """


Prepaid = dict[tuple[str, str], Usage]
"""The cost of answers, by the name of the model and the key of the answer."""


@dataclass(frozen=True)
class AskAttempt(Generic[Answer]):
    """The end of a question: an answer or a failure, with the cost in both cases."""

    replies: tuple[Reply, ...]
    read: ReadAnswer[Answer] | None = None
    failure: PipelineError | None = None

    def usages(self, model: str) -> dict[str, Usage]:
        """The cost of all replies, and of a failed attempt, by the booked name."""
        batched = sum((reply.usage for reply in self.replies if reply.batched), Usage())
        failed = self.failure.spent if isinstance(self.failure, ModelUnavailable) else None
        direct = sum((reply.usage for reply in self.replies if not reply.batched), failed or Usage())
        return {name: usage for name, usage in ((model, direct), (in_batch(model), batched)) if usage.asked}


class Asker:
    """`pipeline.job.Ask`. With no model every task is answered its offline way."""

    def __init__(
        self,
        readers: Readers | None,
        cache: AnswerCache,
        budget: Budget,
        parallel: int,
        between: Callable[[], None] = lambda: None,
    ) -> None:
        """`readers` are the models, and `parallel` is how many questions may be under way at once, at least 1.

        `between` is called every second while answers are awaited; it raises to give them up.
        """
        self.readers = readers
        self.cache = cache
        self.kept = KeptAnswers(readers, cache) if readers else None
        self.budget = budget
        self.prepaid: Prepaid = {}
        """The cost of prefetched answers, until the asker that needs an answer counts it as its own."""
        self.usages: dict[str, Usage] = {}
        """The cost of this asker's questions so far, by the name of the model."""
        self.divided = 0
        """The number of questions so far that were too long for the model, and were answered in parts."""
        self._read: dict[str, tuple[str, ReadAnswer[Any]]] = {}
        self._parallel = parallel
        self._between = between

    @property
    def model(self) -> LanguageModel | None:
        """The model of all that is from no source."""
        return self.readers.of(frozenset()) if self.readers else None

    @property
    def way(self) -> str:
        """The name of the model for text without a source, or `offline`."""
        return self.model.name if self.model else OFFLINE

    def way_of(self, sources: AbstractSet[str]) -> str:
        """The name of the model that sums up and judges text of these sources, or `offline`."""
        model = self.readers.of(sources) if self.readers else None
        return model.background if model else OFFLINE

    @property
    def background(self) -> str:
        """The name of the model that sums up and judges, or `offline`."""
        return self.way_of(frozenset())

    @property
    def usage(self) -> Usage:
        """The cost of this asker's questions so far."""
        return sum(self.usages.values(), Usage())

    @property
    def unfit(self) -> list[Rejection]:
        """The items of all answers so far that their schemas refused, each with the session that it was read from."""
        return [
            Rejection(reason=UNFIT, session_id=session_id, number=item.number, detail=item.problem)
            for session_id, read in self._read.values()
            for item in read.unfit
        ]

    @property
    def clipped_labels(self) -> int:
        """The number of labels in all answers so far that were too long."""
        return sum(read.clipped for _, read in self._read.values())

    def __call__(self, tasks: Sequence[Task[Answer]]) -> list[Answer]:
        """The answers in the order of the tasks; each fits its task's `returns`.

        What no model may see is answered the offline way.
        """
        if self.kept is None:
            return [task.offline() for task in tasks]
        keys = [self.kept.key(task) for task in tasks]
        by_key = {key: task for key, task in zip(keys, tasks, strict=True) if key}
        answers = self.kept.get_all(by_key)
        for key, task in by_key.items():
            name = self.kept.name_of(task)
            booked = [(of, asked) for asked in self.kept.keys(key, task) for of in (name, in_batch(name))]
            paid = {place: self.prepaid.pop(place) for place in booked if place in self.prepaid}
            for (of, _), usage in paid.items():
                self._count(of, usage)
            self._count(name, Usage(cached=int(key in answers and not paid)))
        missing = {key: task for key, task in by_key.items() if key not in answers}
        failure = self._ask_all(self.kept, missing)
        answers |= self.kept.get_all(missing)
        left = [task for key, task in missing.items() if key not in answers]
        if failure and (isinstance(failure, AnswerAwaited) or not all(task.optional for task in left)):
            raise failure
        self._read |= {key: (getattr(by_key[key].input, "session_id", ""), read) for key, read in answers.items()}
        self.divided += sum(map(self.kept.is_divided, answers))
        values = {key: read.value for key, read in answers.items()}
        return [
            task.offline() if (value := values.get(key)) is None else value
            for key, task in zip(keys, tasks, strict=True)
        ]

    def _ask_all(self, kept: KeptAnswers, missing: Mapping[str, Task[Answer]]) -> PipelineError | None:
        """Ask what is missing, so many at a time, and keep the answers; the first failure.

        It stops new questions. Those under way are paid for: their answers are still kept.
        """
        waiting = deque(asked for key, task in missing.items() for asked in kept.still_open(key, task).items())
        running: dict[Future[AskAttempt[Answer]], tuple[str, Task[Answer]]] = {}
        failure: PipelineError | None = None
        with _thread_pool(self._parallel) as pool:
            while running or (waiting and failure is None):
                while waiting and failure is None and len(running) < self._parallel:
                    failure = self._budget_refusal()
                    if failure is None:
                        key, task = waiting.popleft()
                        running[pool.submit(attempt, kept.model_of(task), task)] = key, task
                self._between()
                for future in wait(running, timeout=_LOOK_SECONDS, return_when=FIRST_COMPLETED).done:
                    ended, (key, task) = future.result(), running.pop(future)
                    for booked, usage in self.keep(key, kept.name_of(task), ended).items():
                        self._count(booked, usage)
                    if ended.failure and kept.note_division(key, task, ended.failure):
                        waiting.extendleft(reversed(kept.still_open(key, task).items()))
                    elif not (task.optional and ended.replies):
                        failure = failure or ended.failure
        return failure

    def _budget_refusal(self) -> BudgetSpent | None:
        try:
            self.budget.check(self.usage.tokens)
        except BudgetSpent as refusal:
            return refusal
        return None

    def _count(self, name: str, usage: Usage) -> None:
        self.usages[name] = self.usages.get(name, Usage()) + usage

    def keep(self, key: str, name: str, ended: AskAttempt[Answer]) -> dict[str, Usage]:
        """Keep the answer to a question, if there is one. Returns the cost, by the booked name."""
        usages = ended.usages(name)
        if ended.read is not None:
            usage = sum(usages.values(), Usage())
            # As the model gave it: who takes it from the cache hears as well what of it does not fit.
            self.cache.put_answer(key, name, Reply(ended.read.text, usage.input_tokens, usage.output_tokens))
        for reply in ended.replies:
            if reply.batched:
                self.cache.settle(reply.batched)
        return usages


def attempt(model: LanguageModel, task: Task[Answer]) -> AskAttempt[Answer]:
    """Ask one question, and once more when the answer does not fit. From any thread.

    The second answer counts also where each of its items has a fault of its own: asked a third time, the model would
    hardly do better, and the faults are told.
    """
    question, replies, problem = question_of(task), list[Reply](), ""
    for again in ("", _AGAIN):
        instructions = question.instructions + again.format(problem=problem)
        try:
            replies.append(model.answer(replace(question, instructions=instructions)))
        except ModelUnavailable as failure:
            return AskAttempt(tuple(replies), failure=_name_smallest_part(model, task, failure))
        read = read_answer(replies[-1].text, task.returns)
        if read.value is not None and (again or not read.problem):
            return AskAttempt(tuple(replies), read)
        problem = read.problem
    reason = f"twice its answer to {task.name} did not fit ({problem})"
    return AskAttempt(tuple(replies), failure=ModelUnavailable(name_of(model, task), reason))


def _name_smallest_part(model: LanguageModel, task: Task[Answer], failure: ModelUnavailable) -> ModelUnavailable:
    """The failure, with the number of the message if a single message is too long."""
    if not failure.too_long or not isinstance(task.input, DivisibleInput) or task.input.parts():
        return failure
    alone = f"even with {task.input.smallest} alone, {failure.reason}"
    return ModelUnavailable(name_of(model, task), alone, too_long=True, spent=failure.spent)
