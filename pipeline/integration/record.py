"""The record of what was put into the configuration of agents, and the copies of what stood there before."""

import hashlib
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from pipeline.errors import ChangedMeanwhile, PathRefused, ReadFailed, WriteFailed
from pipeline.integration.edits import FileEdit, Piece, Syntax
from pipeline.workspace.atomic import FileWriter
from pipeline.workspace.regular_files import read_regular, write_regular

FOLDER = ".memory/integrations"
"""Of the record and the copies, relative to the workspace."""


class PieceRecord(BaseModel):
    """A piece that was put in."""

    model_config = ConfigDict(frozen=True)
    path: tuple[str, ...]
    value: JsonValue
    listed: bool = False


class EditRecord(BaseModel):
    """A file: its pieces, the objects `made` for them, the `copy` of it before, and the digest of what was written.

    Without a copy there was no such file. `folders` were made for it.
    """

    model_config = ConfigDict(frozen=True)
    syntax: Syntax
    pieces: tuple[PieceRecord, ...]
    made: tuple[tuple[str, ...], ...] = ()
    copy_name: str = ""
    digest: str
    folders: tuple[str, ...] = ()

    def edit(self, path: Path) -> FileEdit:
        """What was wanted of the file."""
        pieces = tuple(Piece(piece.path, piece.value, listed=piece.listed) for piece in self.pieces)
        return FileEdit(path, self.syntax, pieces)


class IntegrationRecord(BaseModel):
    """All files of all agents, by the agent's name and the file's path, and the command that each is to start.

    `left_out` are the parts that the owner does not want in an agent, by its name.
    """

    agents: dict[str, dict[str, EditRecord]] = Field(default_factory=dict)
    programs: dict[str, str] = Field(default_factory=dict)
    left_out: dict[str, frozenset[str]] = Field(default_factory=dict)


class RecordFolder:
    """The record and the copies of one workspace."""

    def __init__(self, root: Path) -> None:
        """`root` is the workspace."""
        self.path = root / FOLDER
        self._file = self.path / "record.json"

    def read(self) -> IntegrationRecord:
        """The record; an empty one where there is none.

        Raises:
            WorkspaceError: it cannot be understood; the system refuses.
        """
        data = content(self._file)
        try:
            return IntegrationRecord.model_validate_json(data) if data else IntegrationRecord()
        except ValidationError as error:
            why = "is not as we wrote it; move it away, and take our lines out of the agent's configuration by hand"
            raise PathRefused(str(self._file), why) from error

    def write(self, record: IntegrationRecord) -> None:
        """Put the record in place of the last one.

        Raises:
            WriteFailed: the system refuses.
        """
        self._make()
        put(self._file, content(self._file), record.model_dump_json(indent=1).encode())

    def keep(self, data: bytes) -> str:
        """Keep a copy, under a name made from its content."""
        self._make()
        name = f"{digest(data)[:32]}.copy"
        if content(self.path / name) is None:
            put(self.path / name, None, data)
        return name

    def _make(self) -> None:
        """Make the folder, closed to others: configurations hold keys."""
        try:
            for folder in (self.path.parent, self.path):
                folder.mkdir(mode=0o700, exist_ok=True)
            if not (ignore := self.path / ".gitignore").exists():
                write_regular(ignore, b"*\n")
        except OSError as error:
            raise WriteFailed(str(self.path), error.strerror or str(error)) from error

    def copy(self, name: str) -> bytes | None:
        """A copy; `None` when it is gone."""
        data = content(self.path / name)
        return data if data is not None and digest(data)[:32] == name.removesuffix(".copy") else None

    def prune(self, record: IntegrationRecord) -> None:
        """Remove the copies that no file needs any more."""
        used = {file.copy_name for files in record.agents.values() for file in files.values()}
        for copy in self.path.glob("*.copy"):
            if copy.name not in used:
                copy.unlink(missing_ok=True)


def digest(data: bytes) -> str:
    """What tells one content from another."""
    return hashlib.sha256(data).hexdigest()


def content(file: Path) -> bytes | None:
    """The bytes of a file; `None` when there is none.

    Raises:
        ReadFailed: the system refuses.
    """
    try:
        return read_regular(file)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ReadFailed(str(file), error.strerror or str(error)) from error


def put(file: Path, before: bytes | None, after: bytes | None) -> None:
    """Change a file from one content to another, at once; `None` is no file."""
    writer = FileWriter(str(file), file)
    if content(file) != before:
        raise ChangedMeanwhile(str(file))
    if before is None:
        if after is not None and writer.create(after) is None:
            raise ChangedMeanwhile(str(file))
    elif after is None:
        writer.remove(before)
    elif before != after:
        writer.replace(before, after)
