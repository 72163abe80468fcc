"""How sure the extractor is, on labelled sessions: what is sure is right, and little is missed.

The tables of `labelled/` have sessions, each below a comment. `+` is a message of the owner that settles something, `>`
one that does not, `<` the assistant and `=` a tool at work.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest

from jobs.extraction import extract
from pipeline.testing.memory_source import conversation
from schemas.extraction import Conversation

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
LINE = 0.8
"""The confidence from which a reading without a model is written without a question."""
SPEAKERS = {"+": "owner", ">": "owner", "<": "assistant", "=": "tool"}
FILES = sorted((Path(__file__).parent / "labelled").glob("*.txt"))


@dataclass(frozen=True)
class Read:
    """What a session yields: the confidence of each message that is taken; and the messages that settle something."""

    taken: dict[int, float]
    settled: frozenset[int]


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
    return Read(taken, frozenset(number for number, line in enumerate(lines, start=1) if line[0] == "+"))


@pytest.fixture(scope="module", params=FILES, ids=lambda file: file.stem)
def read_sessions(request: pytest.FixtureRequest) -> list[Read]:
    """The sessions of one language: one in which things are settled, and one of ordinary work."""
    reads = [read(lines) for lines in sessions(request.param)]
    assert [bool(one.settled) for one in reads] == [True, False]
    return reads


def test_what_is_written_by_itself_is_right(read_sessions: list[Read]) -> None:
    """Not one of these messages is wrongly taken for something explicit."""
    wrong = [[number for number in one.taken if one.taken[number] >= LINE] for one in read_sessions]
    assert [sorted(set(numbers) - one.settled) for numbers, one in zip(wrong, read_sessions, strict=True)] == [[], []]


def test_most_of_what_is_explicit_is_written_by_itself(read_sessions: list[Read]) -> None:
    """Silence is no precision."""
    settling = read_sessions[0]
    sure = {number for number, confidence in settling.taken.items() if confidence >= LINE}
    assert len(sure & settling.settled) >= 0.7 * len(settling.settled)


def test_nearly_all_that_is_settled_is_at_least_proposed(read_sessions: list[Read]) -> None:
    """A person can accept what is below the line."""
    settling = read_sessions[0]
    assert len(settling.taken.keys() & settling.settled) >= 0.85 * len(settling.settled)


def test_ordinary_work_proposes_little(read_sessions: list[Read]) -> None:
    """Tasks, questions, numbers, moods and other people's decisions."""
    assert len(read_sessions[1].taken) <= 2
