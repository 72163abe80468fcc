"""Claude Code's source holds to the contract."""

from collections.abc import Sequence
from pathlib import Path

from pipeline.adapters.sources import claude_code
from pipeline.ports.engine import TranscriptSource
from tests.support.builders.claude_lines import ClaudeLines
from tests.support.ports.source_contract import ASSISTANT, OWNER, FileSourceContract
from tests.support.sources import opened_source


class TestClaudeCodeSource(FileSourceContract):
    """The contract, over files of Claude Code."""

    def open(self, root: Path) -> TranscriptSource:
        """The source as the application opens it."""
        return opened_source(claude_code, root)

    def lines(self, session_id: str) -> Sequence[bytes]:
        """A short session with an answer that is split over two lines."""
        file = ClaudeLines(session_id)
        file.user(OWNER)
        file.assistant([{"type": "thinking", "thinking": "One."}], message_id="msg_1")
        file.assistant([{"type": "text", "text": ASSISTANT}], message_id="msg_1")
        file.user("żółć \ud83d 好")
        return file.lines
