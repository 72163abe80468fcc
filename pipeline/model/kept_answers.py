"""Answers that are kept: to a question, or to the parts of one that was too long for its model."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Protocol

from pipeline.errors import ModelUnavailable, PipelineError
from pipeline.job import Task
from pipeline.model.answers import ReadAnswer, joined, read_answer
from pipeline.model.question import Answer, key_of, name_of
from pipeline.model.readers import Readers
from pipeline.ports.engine import LanguageModel, Reply
from schemas.divisible_input import DivisibleInput

_TOO_LONG = ""
"""Kept in place of the answer to a question that was too long: there may be answers to its parts."""


class AnswerCache(Protocol):
    """Keeps answers, so that a question is paid for once. Used from one thread only."""

    def get(self, key: str) -> str | None:
        """The text of the answer kept under `key`."""

    def put(self, key: str, model: str, reply: Reply) -> None:
        """Keep an answer that is known to fit, with what it cost."""

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
        """The answer to a task, or those to all of its parts as one; `None` when there is none that fits."""
        text = self._cache.get(key)
        if text == _TOO_LONG:
            return joined([self.get(*part) for part in self._parts(task)])
        read = read_answer(text, task.returns) if text else None
        return read if read and read.value is not None else None

    def get_all(self, tasks: Mapping[str, Task[Answer]]) -> dict[str, ReadAnswer[Answer]]:
        """The answers to those tasks that have one."""
        return {key: read for key, task in tasks.items() if (read := self.get(key, task))}

    def is_divided(self, key: str) -> bool:
        """Whether a question was too long for the model, and was asked in parts."""
        return self._cache.get(key) == _TOO_LONG

    def keys(self, key: str, task: Task[Any]) -> Iterator[str]:
        """The key of a task, and those of its parts if it was too long."""
        yield key
        if self._cache.get(key) == _TOO_LONG:
            for part in self._parts(task):
                yield from self.keys(*part)

    def still_open(self, key: str, task: Task[Answer]) -> dict[str, Task[Answer]]:
        """The questions to ask, by key, for a task without an answer: if it was too long its parts, else itself.

        A question that was too long for an earlier run is asked whole once more, unless a part of it is answered: the
        model may have a longer context now.
        """
        parts = dict(self._parts(task)) if self._cache.get(key) == _TOO_LONG else {}
        if not parts or (key not in self._cut and not any(map(self._has_answers, parts, parts.values()))):
            return {key: task}
        still_open = dict[str, Task[Answer]]()
        for part_key, part in parts.items():
            if self.get(part_key, part) is None:
                still_open |= self.still_open(part_key, part)
        return still_open

    def cut(self, key: str, task: Task[Any], failure: PipelineError) -> bool:
        """Whether a question that failed was too long and has parts, which are asked from now on."""
        if not isinstance(failure, ModelUnavailable) or not failure.too_long or next(self._parts(task), None) is None:
            return False
        self._cut.add(key)
        self._cache.put(key, self.name_of(task), Reply(_TOO_LONG))
        return True

    def _has_answers(self, key: str, task: Task[Any]) -> bool:
        if self._cache.get(key) == _TOO_LONG:
            return any(self._has_answers(*part) for part in self._parts(task))
        return self.get(key, task) is not None

    def _parts(self, task: Task[Answer]) -> Iterator[tuple[str, Task[Answer]]]:
        if isinstance(task.input, DivisibleInput):
            for part in task.input.parts():
                asked = replace(task, input=part)
                yield key_of(self.model_of(asked), asked), asked
