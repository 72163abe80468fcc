"""Hermes' source holds to the contract, of a store and of files."""

from contextlib import closing
from functools import partial
from pathlib import Path

from pipeline.adapters.sources import hermes
from pipeline.ports.engine import TranscriptSource
from tests.support.builders.hermes_rows import HermesRows, session_file
from tests.support.ports.source_contract import ASSISTANT, OWNER, SourceContract
from tests.support.sources import opened_source

opened = partial(opened_source, hermes)


class TestHermesStore(SourceContract):
    """The contract, over the stores of two profiles."""

    def source(self, root: Path) -> TranscriptSource:
        """A session each."""
        for profile in ("", "profiles/work"):
            with closing(HermesRows(root / profile / "state.db")) as rows:
                rows.session("s-1" + profile[-4:])
                rows.message("s-1" + profile[-4:], "user", OWNER)
                rows.message("s-1" + profile[-4:], "assistant", ASSISTANT)
        return opened(root)


class TestHermesFiles(SourceContract):
    """The contract, over files of older versions."""

    def source(self, root: Path) -> TranscriptSource:
        """Two sessions."""
        said = {"role": "user", "content": OWNER}, {"role": "assistant", "content": ASSISTANT}
        session_file(root, "s-1", *said)
        session_file(root, "s-2", *said, {"role": "user", "content": "żółć \ud83d 好"})
        return opened(root)
