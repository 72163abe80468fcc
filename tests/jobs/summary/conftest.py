"""Short conversations written by hand, and what a summary makes of them."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from jobs.summary import summarize
from pipeline.testing.memory_source import conversation
from schemas.summary import Part, Point
from schemas.transcript import Session
from schemas.window import Window

START = datetime(2026, 2, 3, 9, tzinfo=UTC)
DAY = Window(start=START, end=START + timedelta(hours=12))
SPEAKERS = {">": "owner", "<": "assistant", "=": "tool", "~": "web", "?": "other", "!": "machine", "m": "memory"}

PointsOf = Callable[..., tuple[Point, ...]]
Lines = Callable[..., list[str]]


def session(*turns: str) -> Session:
    """A session of turns such as `> what the owner says` and `< what the assistant answers`."""
    return conversation("talk", START, [(SPEAKERS[turn[0]], turn[2:]) for turn in turns])


@pytest.fixture
def points_of() -> PointsOf:
    """All points of a conversation."""
    return lambda *turns: summarize(session(*turns), DAY).points


@pytest.fixture
def lines(points_of: PointsOf) -> Lines:
    """The texts of one part of a conversation's summary."""

    def of(part: Part, *turns: str) -> list[str]:
        return [point.text for point in points_of(*turns) if point.part is part]

    return of
