"""Conversations written by hand, and what is candidates in them."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import pytest

from jobs.extraction import extract, extract_with_doubts
from schemas.extraction import Candidate, Conversation, DoubtedCandidate, WordsDoubt
from tests.support.ports.memory_source import conversation

CandidatesOf = Callable[..., tuple[Candidate, ...]]
DoubtsOf = Callable[..., list[tuple[int, WordsDoubt]]]
START = datetime(2026, 3, 2, 9, tzinfo=UTC)
SPEAKERS = {">": "owner", "<": "assistant", "=": "tool"}


def _conversation(lines: Sequence[str], first_new: int = 1) -> Conversation:
    session = conversation("s1", START, [(SPEAKERS[line[0]], line[2:]) for line in lines])
    return Conversation(session_id="s1", first_new=first_new, messages=session.conversation)


@pytest.fixture
def candidates_of() -> CandidatesOf:
    """Reads lines such as `> what the owner says` and `< what the assistant says`; gives their candidates."""

    def read(*lines: str, first_new: int = 1) -> tuple[Candidate, ...]:
        return extract(_conversation(lines, first_new)).candidates

    return read


@pytest.fixture
def every_candidate_of() -> CandidatesOf:
    """Reads such lines; gives their candidates with those of which only a person can decide."""

    def read(*lines: str) -> tuple[Candidate, ...]:
        return extract_with_doubts(_conversation(lines)).candidates

    return read


@pytest.fixture
def doubts_of() -> DoubtsOf:
    """Reads such lines; gives the numbers of the messages of which only a person can decide, and why."""

    def read(*lines: str) -> list[tuple[int, WordsDoubt]]:
        candidates = extract_with_doubts(_conversation(lines)).candidates
        return [(one.quote_number, one.doubt) for one in candidates if isinstance(one, DoubtedCandidate)]

    return read
