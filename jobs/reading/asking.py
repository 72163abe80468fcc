"""The one question about a piece of a session: the same whichever job asks it, so a second answer costs nothing."""

from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from jobs.reading.pieces import PieceQuestion, questions
from pipeline.job import Run, Task
from schemas.session_answer import SessionAnswer
from schemas.transcript import Session


def read(run: Run, sessions: Iterable[Session]) -> list[tuple[PieceQuestion, SessionAnswer]]:
    """The answers about all pieces of sessions that a run sees, in order. Without a model they are empty."""
    asked = [question for session in sessions for question in questions(session)]
    return list(zip(asked, run.ask([_task(question) for question in asked]), strict=True)) if asked else []


def _task(question: PieceQuestion) -> Task[SessionAnswer]:
    return Task(
        name="session",
        prompt=_prompt(),
        input=question.shown,
        returns=SessionAnswer,
        offline=SessionAnswer,
        background=True,
        sources=frozenset({question.session.source}),
    )


@cache
def _prompt() -> str:
    return files("jobs").joinpath("session.md").read_text(encoding="utf-8")
