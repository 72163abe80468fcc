"""OpenClaw's source holds to the contract."""

from collections.abc import Sequence
from pathlib import Path

from pipeline.adapters.sources import openclaw
from pipeline.ports.engine import TranscriptSource
from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.ports.source_contract import ASSISTANT, OWNER, FileSourceContract
from tests.support.sources import opened_source


class TestOpenClawSource(FileSourceContract):
    """The contract, over files of OpenClaw."""

    def open(self, root: Path) -> TranscriptSource:
        """The source as the application opens it."""
        return opened_source(openclaw, root)

    def lines(self, session_id: str) -> Sequence[bytes]:
        """A short chat with a heartbeat in it."""
        file = OpenClawLines(session_id)
        file.user(f"[Telegram Tom (@tom) id:411 2026-02-02 09:00 UTC] {OWNER}\n[message_id: 7]")
        file.assistant(ASSISTANT)
        file.user("[OpenClaw heartbeat poll]")
        file.assistant("HEARTBEAT_OK")
        file.user("żółć \ud83d 好")
        return file.lines
