"""How sure the extractor is, on labelled sessions: what is sure is right, and little is missed.

The tables of `labelled/` have sessions, each below a comment. `!` is a message of the owner that asks to remember
something or orders how it is from now on, `+` one that settles something in another way, `>` one that does not, `<` the
assistant and `=` a tool at work.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest

from jobs.extraction import extract
from schemas.extraction import Conversation
from tests.support.ports.memory_source import conversation

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
LINE = 0.8
"""The confidence from which a reading without a model is written without a question."""
SPEAKERS = {"!": "owner", "+": "owner", ">": "owner", "<": "assistant", "=": "tool"}
FILES = sorted((Path(__file__).parent / "labelled").glob("*.txt"))


@dataclass(frozen=True)
class Read:
    """The confidence of each message that is taken; the messages that settle something, and those explicitly."""

    taken: dict[int, float]
    settled: frozenset[int]
    explicit: frozenset[int]

    @property
    def written(self) -> set[int]:
        """The messages that are written without a question."""
        return {number for number, confidence in self.taken.items() if confidence >= LINE}


def sessions(file: Path) -> Iterator[list[str]]:
    """The lines of each session in a table."""
    lines = file.read_text("utf-8").splitlines()
    heads = [place for place, line in enumerate(lines) if line.startswith("#")]
    for head, end in pairwise([*heads, len(lines)]):
        yield lines[head + 1 : end]


def read(lines: list[str]) -> Read:
    """The extraction of a session."""
    session = conversation("s1", START, [(SPEAKERS[line[0]], line[2:]) for line in lines])
    given = Conversation(session_id="s1", first_new=1, messages=session.conversation)
    taken = {one.quote_number: one.confidence for one in extract(given).candidates}
    marks = list(enumerate((line[0] for line in lines), start=1))
    explicit = frozenset(number for number, mark in marks if mark == "!")
    return Read(taken, explicit.union(number for number, mark in marks if mark == "+"), explicit)


@pytest.fixture(scope="module", params=FILES, ids=lambda file: file.stem)
def read_sessions(request: pytest.FixtureRequest) -> list[Read]:
    """The sessions of one language: one in which things are settled, and one of ordinary work."""
    reads = [read(lines) for lines in sessions(request.param)]
    assert [bool(one.settled) for one in reads] == [True, False]
    return reads


def test_what_is_explicit_is_written_by_itself_and_nothing_else(read_sessions: list[Read]) -> None:
    """All of it, and no guess."""
    assert [one.explicit for one in read_sessions] == [one.written for one in read_sessions]


def test_nearly_all_that_is_settled_is_at_least_proposed(read_sessions: list[Read]) -> None:
    """A person can accept what is below the line."""
    settling = read_sessions[0]
    assert len(settling.taken.keys() & settling.settled) >= 0.85 * len(settling.settled)


def test_ordinary_work_proposes_little(read_sessions: list[Read]) -> None:
    """Tasks, questions, numbers, moods and other people's decisions."""
    assert len(read_sessions[1].taken) <= 2
