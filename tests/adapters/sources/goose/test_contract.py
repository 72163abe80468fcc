"""Goose's source holds to the contract, of a store and of files."""

from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from pipeline.adapters.sources import goose
from pipeline.ports.engine import TranscriptSource
from tests.support.builders.goose_rows import GooseLines, GooseRows, text
from tests.support.ports.source_contract import ASSISTANT, OWNER, FileSourceContract, SourceContract
from tests.support.sources import opened_source

opened = partial(opened_source, goose)


class TestGooseStore(SourceContract):
    """The contract, over a store."""

    def source(self, root: Path) -> TranscriptSource:
        """Two sessions."""
        with closing(GooseRows(root / "sessions.db")) as rows:
            for session_id in ("20260202_1", "20260202_2"):
                rows.session(session_id)
                rows.message(session_id, "user", text(OWNER))
                rows.message(session_id, "assistant", text(ASSISTANT))
                rows.message(session_id, "user", text("żółć \ud83d 好"))
        return opened(root)


class TestGooseFiles(FileSourceContract):
    """The contract, over files of versions before 1.10."""

    def open(self, root: Path) -> TranscriptSource:
        """The source as the application opens it."""
        return opened(root)

    def lines(self, session_id: str) -> Sequence[bytes]:
        """A short session."""
        file = GooseLines(id=session_id)
        file.message("user", text(OWNER))
        file.message("assistant", text(ASSISTANT))
        file.message("user", text("żółć \ud83d 好"))
        return file.lines
