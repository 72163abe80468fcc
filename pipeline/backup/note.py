"""The note of a workspace on its back-ups: its own id, and the last state that it shares with each of them."""

from contextlib import suppress
from pathlib import Path

from pydantic import Field, ValidationError

from pipeline.errors import WriteFailed
from pipeline.workspace.files import Workspace
from pipeline.workspace.regular_files import read_regular, replace_private
from schemas.base import Moment, Value

FILE = "backups.json"
"""Below the folder of derived files."""


class KnownBackup(Value):
    """The last generation that a workspace shares with a back-up, made or restored `at` a moment.

    `every` is in how many days a person wants the next one; 0 says nothing.
    """

    folder: str
    number: int
    digest: str
    at: Moment
    every: int = 0


class BackupNote(Value):
    """The id of a workspace, empty before its first back-up, and its back-ups by their chains."""

    workspace: str = ""
    backups: dict[str, KnownBackup] = Field(default_factory=dict)

    def having(self, workspace: str, chain: str, known: KnownBackup) -> "BackupNote":
        """The note with another state of a back-up."""
        return BackupNote(workspace=workspace, backups={**self.backups, chain: known})


def read_note(workspace: Workspace) -> BackupNote:
    """The note; an empty one where there is none that can be read."""
    with suppress(OSError, ValidationError):
        return BackupNote.model_validate_json(read_regular(_file(workspace)))
    return BackupNote()


def write_note(workspace: Workspace, note: BackupNote) -> None:
    """Replace the note."""
    try:
        replace_private(_file(workspace), note.model_dump_json().encode(), lasting=True)
    except OSError as error:
        raise WriteFailed(str(_file(workspace)), error.strerror or str(error)) from error


def _file(workspace: Workspace) -> Path:
    return workspace.state_folder / FILE
