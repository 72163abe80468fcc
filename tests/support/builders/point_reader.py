"""A model that reads points out of a conversation, and leaves their merging to code."""

from collections.abc import Callable, Sequence
from typing import cast

from pipeline.job import Answer, Task
from schemas.extraction import Conversation
from schemas.session_answer import SessionAnswer
from schemas.summary import Part, Point
from schemas.transcript import Origin

ReadPoints = Callable[[Conversation], Sequence[Point]]


class PointReader:
    """Answers with what `read` finds in each piece."""

    def __init__(self, read: ReadPoints) -> None:
        self._read = read

    def __call__(self, tasks: Sequence[Task[Answer]]) -> list[Answer]:
        """One answer for each task."""
        return [cast("Answer", self._answer(task)) for task in tasks]

    def _answer(self, task: Task[Answer]) -> object:
        if isinstance(task.input, Conversation):
            return SessionAnswer(points=tuple(self._read(task.input)))
        return task.offline()


def owners_points(asked: Conversation) -> list[Point]:
    """Each new message of the owner is an action, in the words of its first line."""
    said = [one for one in asked.messages if one.origin is Origin.OWNER and one.number >= asked.first_new]
    return [Point(part=Part.ACTION, text=one.text.splitlines()[0], numbers=(one.number,)) for one in said]
