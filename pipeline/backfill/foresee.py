"""Predicts the questions of a partition: it calls the job, a pure function, with transcripts and known answers only.

Before a partition's turn, only questions that depend on transcripts, or on answers to such questions, are known. So a
job that reads no transcripts is not called. An append job is called up to its first questions: after them it needs
entries that earlier partitions have not written yet. A page that does not exist yet begins empty.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

from pipeline.backfill.plan import Planned
from pipeline.backfill.silence import Spoken
from pipeline.clock import local_day
from pipeline.engine.context import Engine
from pipeline.engine.forgotten_topics import without_forgotten
from pipeline.engine.partitioning import partitioning_for
from pipeline.errors import ReadFailed
from pipeline.job import Inputs, Period, Run, Task
from pipeline.language.tokens import count_tokens
from pipeline.model.ask import Asker, KeptAnswers
from pipeline.model.question import Answer, question_of
from pipeline.ports.engine import LanguageModel
from pipeline.workspace.families import concrete
from schemas.transcript import Session

OUTPUT_SHARE = 0.15
"""Of the input, what answers are taken to come to: the prompts ask for quotations and single sentences."""


@dataclass(frozen=True)
class Foreseen:
    """The known questions of a partition, by key: `asked` are to be asked next, `answered` have an answer."""

    asked: dict[str, Task[Any]]
    answered: frozenset[str] = frozenset()


class _StopHereError(Exception):
    """The job's next questions are not known yet."""


class _Listening:
    """`run.models.ask` that answers from the cache, notes what it cannot answer, and stops the job there."""

    def __init__(self, kept: KeptAnswers, *, further: bool) -> None:
        """With `further` the job goes on as long as its questions have answers."""
        self._kept = kept
        self._further = further
        self.asked: dict[str, Task[Any]] = {}
        self.answered: set[str] = set()

    def __call__(self, tasks: Sequence[Task[Answer]]) -> list[Answer]:
        keys = [self._kept.key(task) for task in tasks]
        by_key = {key: task for key, task in zip(keys, tasks, strict=True) if key}
        answers = self._kept.get_all(by_key)
        self.answered |= answers.keys()
        missing = [self._kept.still_open(key, task) for key, task in by_key.items() if key not in answers]
        self.asked = {key: task for still_open in missing for key, task in still_open.items()}
        if self.asked or not self._further:
            raise _StopHereError
        values = {key: read.value for key, read in answers.items()}
        return [values.get(key) or task.offline() for key, task in zip(keys, tasks, strict=True)]


def foresee(engine: Engine, partition: Planned, asker: Asker) -> Foreseen:
    """The questions of a partition, as far as they are known; nothing is asked, read from pages, or written.

    A transcript that cannot be read is left to the partition's own run.
    """
    if asker.kept is None or not partition.job.reads.transcripts:
        return Foreseen({})
    try:
        sessions = partitioning_for(engine, partition.job, partition.partition).sessions(partition.partition)
    except ReadFailed:
        return Foreseen({})
    listening = _Listening(asker.kept, further=goes_further(engine, partition))
    if sessions:
        with suppress(_StopHereError):
            partition.job.run(_run(engine, partition, sessions, listening, asker))
    return Foreseen(listening.asked, frozenset(listening.answered))


def _run(engine: Engine, partition: Planned, sessions: Sequence[Session], ask: _Listening, asker: Asker) -> Run:
    return Run(
        key=partition.partition.key,
        window=partition.window,
        day=local_day(partition.window.start, engine.zone),
        now=engine.local_now(),
        models=engine.models(asker, ask),
        inputs=Inputs(without_forgotten(engine.workspace, sessions)),
        agent=engine.agent(partition.partition.subject),
    )


def foreseen_tasks(engine: Engine, plan: Iterable[Planned], asker: Asker) -> Iterator[tuple[LanguageModel, Task[Any]]]:
    """The questions that a plan is known to ask, each with its model. The catalog must have been refreshed."""
    spoken = Spoken(engine)
    for partition in plan:
        engine.safe_point()
        if partition.job.reads.transcripts and spoken.during(partition.window):
            for task in foresee(engine, partition, asker).asked.values():
                if asker.readers and (model := asker.readers.of(task.sources)):
                    yield model, task


def goes_further(engine: Engine, partition: Planned) -> bool:
    """Whether questions that build on answers can be known: the page is this partition's alone, and begins empty."""
    job, family = partition.job, partition.job.writes.family
    alone = job.period not in {Period.TICK, None} and ("{day}" in family or "{week}" in family)
    if job.writes.append or not alone:
        return False
    slots = partitioning_for(engine, job, partition.partition).slots(partition.partition)
    return not engine.workspace.locate(concrete(family, slots)).exists()


def size_of(task: Task[Any]) -> int:
    """The tokens of all that is sent for a task: the instructions, the input, and the schema of the answer.

    The few that a server adds of its own for each message are not in it.
    """
    question = question_of(task)
    return _count_once(question.instructions) + count_tokens(question.input) + _count_once(json.dumps(question.schema))


_count_once = cache(count_tokens)
"""Of the texts that are the same for all questions of a task."""


def expected_tokens(task: Task[Any]) -> int:
    """The tokens that a task will cost, in and out."""
    return round(size_of(task) * (1 + OUTPUT_SHARE))
