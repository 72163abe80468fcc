"""Grok Build's updates: whose word each piece is."""

from collections.abc import Sequence
from pathlib import Path

from pipeline.adapters.sources import grok
from pipeline.ports.engine import TranscriptSource
from tests.support.builders.claude_lines import said
from tests.support.builders.grok_lines import START, GrokLines
from tests.support.ports.source_contract import ASSISTANT, OWNER, FileSourceContract
from tests.support.sources import opened_source


class TestGrokSource(FileSourceContract):
    """The contract, over sessions of Grok Build."""

    REPEATABLE = 1  # the answer

    def open(self, root: Path) -> TranscriptSource:
        """The source as the application opens it."""
        return opened_source(grok, root)

    def lines(self, session_id: str) -> Sequence[bytes]:
        """A short session with an answer in pieces."""
        file = GrokLines()
        file.user(OWNER, 0)
        file.assistant("p-1", ASSISTANT[:5], ASSISTANT[5:])
        file.user(f"żółć \ud83d 好 {session_id}", 1)
        return file.lines


def test_default_root_is_in_the_home_folder(tmp_path: Path) -> None:
    """Wherever it is."""
    assert (tmp_path / ".grok/sessions",) == grok.KIND.roots(tmp_path, {})
    assert (Path("/srv/grok/sessions"),) == grok.KIND.roots(tmp_path, {"GROK_HOME": "/srv/grok"})


def test_pieces_of_one_message_are_one(tmp_path: Path) -> None:
    """Until a tool comes between them; thoughts are passed over."""
    lines = GrokLines()
    lines.user("one ", 0)
    lines.user("queue", 0)
    lines.piece("agent_thought_chunk", "hm")
    lines.assistant("p-1", "Loo", "king.")
    lines.update({"sessionUpdate": "tool_call", "title": "ls"})
    lines.assistant("p-1", "One.")
    session = lines.read(tmp_path, {"info": {"id": "g-7", "cwd": "/home/tom/shop"}, "agent_name": "build"})
    assert said(session) == [("owner", "one queue"), ("assistant", "Looking."), ("assistant", "One.")]
    assert [1, 4, 7] == [message.number for message in session.messages]
    assert session.messages[0].time.timestamp() == START
    assert (session.session_id, session.project, session.agent) == ("g-7", "/home/tom/shop", "build")
    assert session.skipped == {"no_conversation": 2}


def test_words_come_out_of_their_tag(tmp_path: Path) -> None:
    """What the program adds in tags of its own is no person's word."""
    lines = GrokLines()
    lines.user("<user_query>\nhello\n</user_query>", 0)
    lines.user("<user_info>\nOS: linux\n</user_info>", 1)
    assert [origin for origin, _ in said(lines.read(tmp_path, {}))] == ["owner", "machine"]


def test_a_sub_agent_is_a_machine_with_a_parent(tmp_path: Path) -> None:
    """The summary says so; unknown updates are counted."""
    lines = GrokLines()
    lines.user("Search the code.", 0)
    lines.update({"sessionUpdate": "hologram", "content": "it will rain"})
    session = lines.read(tmp_path, {"session_kind": "subagent_fork", "parent_session_id": "g-0"})
    assert (session.session_id, session.machine, session.parent) == ("g-1", True, "g-0")
    assert session.skipped == {"unknown_record:hologram": 1}
