"""What is read out of an episode's sessions for the memory of an agent."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import cast

from jobs.session_facts.claims import extractions
from pipeline.job import Answer, Inputs, Task
from schemas.extraction import Conversation
from schemas.session_answer import SessionAnswer
from schemas.window import Window
from tests.support.builders.job_run import job_run
from tests.support.builders.pieces import seen_in
from tests.support.ports.memory_source import conversation

START = datetime(2026, 3, 3, 8, tzinfo=UTC)
WINDOW = Window(start=START, end=START + timedelta(hours=1))


def by_session(tasks: Sequence[Task[Answer]]) -> list[Answer]:
    """A model that names the session of each question."""
    asked = [cast("Conversation", task.input) for task in tasks]
    return [cast("Answer", SessionAnswer(sentences=(f"about {one.session_id}",))) for one in asked]


def test_an_answer_is_of_its_own_session() -> None:
    """A file may hold several."""
    sessions = [conversation(name, START, [("owner", "We bake on Mondays.")], path="all.json") for name in ("a", "b")]
    run = job_run(WINDOW, by_session, "m", inputs=Inputs(seen_in(WINDOW, *sessions)))
    actual = [(session.session_id, answer.sentences) for session, answer in extractions(run)]
    assert [("a", ("about a",)), ("b", ("about b",))] == actual
