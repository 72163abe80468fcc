"""The reading of agents' notes: their text without our blocks, masked, and trusted by the place of the file."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pipeline.markdown.blocks import without_ours
from pipeline.markdown.encoding import readable_text
from pipeline.workspace.layout import NOTED, UNATTRIBUTED, FileRole
from schemas.tier import Tier


@dataclass(frozen=True)
class NoteReading:
    """The way to read notes. `masked` overwrites the secrets in a text, and keeps its length.

    `is_strange` says whether a stranger may have written a file: it lies in a repository, and no transcript shows an
    agent writing it there.
    """

    masked: Callable[[str], str]
    is_strange: Callable[[Path], bool]

    def text_of(self, data: bytes) -> bytes:
        """The bytes that are indexed and shown, line by line those of the file.

        Raises:
            NotText: it holds what no text has.
        """
        return self.masked(without_ours(readable_text(data).encode()).decode()).encode()

    def role_of(self, file: Path, tier: Tier) -> FileRole:
        """The role of a note."""
        return FileRole(tier, trust=UNATTRIBUTED if self.is_strange(file) else NOTED)


UNSURE = NoteReading(lambda text: text, lambda _: True)
"""The reading where nothing is known about the hands that wrote a note."""
