"""Codex's source holds to the contract."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from pipeline.adapters.sources import codex
from pipeline.ports.engine import TranscriptSource
from tests.support.builders.claude_lines import ClaudeLines
from tests.support.builders.codex_lines import CodexLines
from tests.support.ports.source_contract import ASSISTANT, OWNER, FileSourceContract
from tests.support.sources import opened_source


def _claude_line() -> bytes:
    lines = ClaudeLines()
    lines.user("hello")
    return lines.lines[0]


class TestCodexSource(FileSourceContract):
    """The contract, over rollouts."""

    FOREIGN: ClassVar[dict[str, bytes]] = {**FileSourceContract.FOREIGN, "agent": _claude_line()}

    def open(self, root: Path) -> TranscriptSource:
        """The source as the application opens it."""
        return opened_source(codex, root)

    def file_name(self, session_id: str) -> str:
        """As Codex names its files."""
        return f"rollout-2026-02-02T09-00-00-{session_id}.jsonl"

    def lines(self, session_id: str) -> Sequence[bytes]:
        """A short session, with each text twice."""
        file = CodexLines(session_id)
        file.item("user", "<environment_context>\n  <cwd>/home/tom</cwd>\n</environment_context>")
        file.user(OWNER)
        file.assistant(ASSISTANT)
        file.user("żółć \ud83d 好")
        return file.lines
