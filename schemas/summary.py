"""The summary of a day, in points. What a model answers here is believed only as far as code can check it."""

from collections.abc import Sequence
from enum import StrEnum

from pydantic import Field

from schemas.base import Value
from schemas.divisible_input import DivisibleInput, halves


class Part(StrEnum):
    """The parts of a wrap-up that are read out of conversations; its first part, the decisions, comes from entries."""

    ACTION = "action"
    CONVERSATION = "conversation"
    TECHNICAL = "technical"
    LOOP = "loop"
    NEXT = "next"


class Point(Value):
    """One thing worth a line. `text` needs no conversation to be understood; `numbers` are the messages it rests on."""

    part: Part
    text: str = Field(min_length=1, max_length=400)
    numbers: tuple[int, ...] = Field(min_length=1)


class Gathered(Value):
    """A point of a day under a reference such as `p3`, with the session it comes from."""

    ref: str
    session_id: str
    part: Part
    text: str


class Gathering(DivisibleInput):
    """All points of a day, to be merged."""

    points: tuple[Gathered, ...]

    def parts(self) -> "Sequence[Gathering]":
        """Two halves; two points of which each half has one stay two lines."""
        return [Gathering(points=self.points[half]) for half in halves(self.points)]


class MergedPoint(Value):
    """A line in place of the points in `refs`."""

    refs: tuple[str, ...] = Field(min_length=1)
    part: Part
    text: str = Field(min_length=1, max_length=400)


class Merged(Value):
    """A day's points without repetition; a point that no line names stays as it is."""

    points: tuple[MergedPoint, ...] = ()
