"""Gemini CLI's source holds to the contract."""

from collections.abc import Sequence
from pathlib import Path

from pipeline.adapters.sources import gemini_cli
from pipeline.ports.engine import TranscriptSource
from tests.support.builders.gemini_lines import GeminiLines
from tests.support.ports.source_contract import ASSISTANT, OWNER, FileSourceContract
from tests.support.sources import opened_source


class TestGeminiSource(FileSourceContract):
    """The contract, over files of records."""

    def open(self, root: Path) -> TranscriptSource:
        """The source as the application opens it."""
        return opened_source(gemini_cli, root)

    def lines(self, session_id: str) -> Sequence[bytes]:
        """A short session."""
        file = GeminiLines(session_id)
        file.user(OWNER)
        file.assistant(ASSISTANT)
        file.user("żółć \ud83d 好")
        return file.lines
