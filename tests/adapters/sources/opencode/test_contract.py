"""OpenCode's source holds to the contract, of a store and of a folder of files."""

from contextlib import closing
from functools import partial
from pathlib import Path

from pipeline.adapters.sources import opencode
from pipeline.ports.engine import TranscriptSource
from tests.support.builders.opencode_rows import MINUTE, START, OpenCodeRows, folder, text
from tests.support.ports.source_contract import ASSISTANT, OWNER, SourceContract
from tests.support.sources import opened_source

opened = partial(opened_source, opencode)


class TestOpenCodeStore(SourceContract):
    """The contract, over a store with a session of each generation."""

    def source(self, root: Path) -> TranscriptSource:
        """Two sessions."""
        with closing(OpenCodeRows(root / "opencode.db")) as rows:
            rows.session("ses_1")
            rows.message("ses_1", "user", text(OWNER))
            rows.message("ses_1", "assistant", text(ASSISTANT))
            rows.session("ses_2", table="session_v2")
            rows.record("ses_2", "user", text=OWNER + " żółć \ud83d 好")
            rows.record("ses_2", "assistant", content=[text(ASSISTANT)])
        return opened(root)


class TestOpenCodeFolder(SourceContract):
    """The contract, over files of versions before 1.2."""

    def source(self, root: Path) -> TranscriptSource:
        """Two sessions."""
        folder(root, "ses_1", ("user", OWNER), ("assistant", ASSISTANT))
        folder(root, "ses_2", ("user", OWNER + " \ud83d"), ("assistant", ASSISTANT), start=START + 9 * MINUTE)
        return opened(root)
