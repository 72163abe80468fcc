"""Conversations written by hand, and what is found in them."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from jobs.extraction import extract
from pipeline.testing.memory_source import conversation
from schemas.extraction import Candidate, Conversation

CandidatesOf = Callable[..., tuple[Candidate, ...]]
START = datetime(2026, 3, 2, 9, tzinfo=UTC)
SPEAKERS = {">": "owner", "<": "assistant"}


@pytest.fixture
def candidates_of() -> CandidatesOf:
    """Reads lines such as `> what the owner says` and `< what the assistant says`; gives what was found in them."""

    def read(*lines: str, first_new: int = 1) -> tuple[Candidate, ...]:
        turns = [(SPEAKERS[line[0]], line[2:]) for line in lines]
        session = conversation("s1", START, turns)
        return extract(Conversation(session_id="s1", first_new=first_new, messages=session.conversation)).candidates

    return read
