"""The one question about a piece of a session: the same whichever job asks it, so a second answer costs nothing."""

from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from jobs.reading.pieces import PieceQuestion, questions
from pipeline.job import OFFLINE, Run, Task
from schemas.session_answer import SessionAnswer
from schemas.transcript import Session


def read(run: Run, sessions: Iterable[Session]) -> list[tuple[PieceQuestion, SessionAnswer]]:
    """The answers about all pieces of the sessions that a model may see, in order."""
    readable = [session for session in sessions if run.way_of(session.sources) != OFFLINE]
    asked = [question for session in readable for question in questions(session)]
    return list(zip(asked, run.ask([_task(question) for question in asked]), strict=True)) if asked else []


def _task(question: PieceQuestion) -> Task[SessionAnswer]:
    return Task(
        name="session",
        prompt=_prompt(),
        input=question.shown,
        returns=SessionAnswer,
        offline=SessionAnswer,
        background=True,
        sources=question.session.sources,
    )


@cache
def _prompt() -> str:
    return files("jobs").joinpath("session.md").read_text(encoding="utf-8")
