"""A run as a job sees it, for tests that call a job, or a part of one, without the engine."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import TypedDict, Unpack

from pipeline.job import OFFLINE, Agent, Answer, Ask, Inputs, Models, Refusals, Run, Task, WrittenFiles
from schemas.window import Window


class RunParts(TypedDict, total=False):
    """The fields of `Run` that a test chooses."""

    key: str
    day: date
    now: datetime
    models: Models
    inputs: Inputs
    written: WrittenFiles
    refusals: Refusals
    agent: Agent
    request: str


def unasked(tasks: Sequence[Task[Answer]]) -> list[Answer]:
    """A model that must not be asked."""
    raise AssertionError(tasks)


def offline(tasks: Sequence[Task[Answer]]) -> list[Answer]:
    """The answers of the engine without a model."""
    return [task.offline() for task in tasks]


def job_run(window: Window, ask: Ask = unasked, way: str = OFFLINE, **parts: Unpack[RunParts]) -> Run:
    """A run over a window, at its end, whose model is called `way` and answers by `ask`."""
    run = Run("k", window, window.start.date(), window.end, Models(ask, way, way))
    return replace(run, **parts)
