"""A workspace as it is at one moment."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from pipeline.backup.pieces import SIZE, piece_names
from pipeline.backup.snapshot import StateSnapshot
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import Layout
from schemas.index_settings import IndexSettings


@dataclass
class AppendedMeanwhile:
    """Takes pieces; each time that it reads, another program appends to the file before."""

    file: Path
    there: set[str] = field(default_factory=set)

    def add_all(self, stream: BinaryIO) -> tuple[str, ...]:
        """The names of the pieces."""
        with self.file.open("ab") as other:
            other.write(b"x" * SIZE)
        return piece_names(stream)


def test_a_file_to_which_a_program_keeps_appending(tmp_path: Path) -> None:
    """Its size is that of its pieces: with another one nobody could restore anything of the generation."""
    file = tmp_path / "MEMORY.md"
    file.write_bytes(b"a page\n")
    (tmp_path / ".memory").mkdir()
    snapshot = StateSnapshot(Workspace(tmp_path, Layout(())), IndexSettings(), AppendedMeanwhile(file), {})
    (saved,) = (one for one in snapshot.take() if one.path == "MEMORY.md")
    assert (saved.size + SIZE - 1) // SIZE == len(saved.pieces)
