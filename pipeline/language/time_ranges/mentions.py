"""What a text says about time, before it is joined: one phrase each."""

from dataclasses import dataclass
from enum import Enum, auto

from pipeline.language.time_ranges.spans import DaySpan, Unit


class Boundary(Enum):
    """How far from its days a time goes. `FROM` leads on from what lies ahead, and names where a past thing is from."""

    WITHIN = auto()
    SINCE = auto()
    FROM = auto()
    UNTIL = auto()


@dataclass(frozen=True, slots=True)
class Mention:
    """A phrase from `start` to `end` of a plain text, and the days it names.

    A mention without `span` is a day of the week, or a weekend, of a week that the text does not name: `weekday` and
    `days` tell which. A `partial` one counts only in a part of it: `the end of the month`. What is not `sure` helps a
    question and is no time of a fact.
    """

    start: int
    end: int
    span: DaySpan | None
    unit: Unit = Unit.DAY
    sure: bool = True
    partial: bool = False
    weekday: int = 0
    days: int = 1
    boundary: Boundary = Boundary.WITHIN
