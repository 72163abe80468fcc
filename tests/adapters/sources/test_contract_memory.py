"""The source held in memory holds to the contract, so that a test with it says something about the others."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from pipeline.errors import ReadFailed
from pipeline.ports.engine import TranscriptSource
from schemas.transcript import Origin, Role
from tests.support.ports.memory_source import MemorySource, conversation
from tests.support.ports.source_contract import ASSISTANT, OWNER, SourceContract

START = datetime(2026, 2, 2, 9, tzinfo=UTC)


class TestMemorySource(SourceContract):
    """The contract, over sessions written by hand."""

    def source(self, root: Path) -> TranscriptSource:
        """Two sessions put in out of order."""
        assert root.is_dir()
        turns = [("owner", OWNER), ("assistant", ASSISTANT), ("tool", "ok"), ("machine", "[cron:1 x] go")]
        return MemorySource(conversation("b", START, turns), conversation("a", START, turns), name="fake")


def test_a_conversation_is_numbered_and_timed() -> None:
    """Turns are numbered from 1, a minute apart, each with its origin and role."""
    session = conversation("s1", START, [("owner", "yes"), ("web", "a page")], zone="Europe/Warsaw")
    assert [(message.number, message.entry_ids, message.role, message.origin) for message in session.messages] == [
        (1, ("s1-1",), Role.USER, Origin.OWNER),
        (2, ("s1-2",), Role.TOOL, Origin.WEB),
    ]
    assert [START, START.replace(minute=1)] == [message.time for message in session.messages]
    assert session.zone == "Europe/Warsaw"


def test_a_session_can_grow_and_go() -> None:
    """A source changes as an agent's folder does: a file is replaced by a longer one, or deleted."""
    source = MemorySource(conversation("s1", START, [("owner", "yes")]))
    before = list(source.files())
    grown = source.put(conversation("s1", START, [("owner", "yes"), ("assistant", "ok")]))
    assert (grown,) == source.read("s1.jsonl")
    assert before != list(source.files())
    source.remove("s1.jsonl")
    assert list(source.files()) == []
    with pytest.raises(ReadFailed):
        source.read("s1.jsonl")
