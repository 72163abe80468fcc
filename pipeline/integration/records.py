"""The record of what was put into the configurations of agents, as it stands in the file of a workspace."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from pipeline.integration.edits import FileEdit, Piece, Syntax


class PieceRecord(BaseModel):
    """A piece that was added."""

    model_config = ConfigDict(frozen=True)
    path: tuple[str, ...]
    value: JsonValue
    listed: bool = False
    shared: bool = False


class EditRecord(BaseModel):
    """A file: its pieces, the objects `made` for them, its `copy` from before, and the digest of its new content.

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
        """The edit that was made."""
        pieces = tuple(Piece(piece.path, piece.value, piece.listed, piece.shared) for piece in self.pieces)
        return FileEdit(path, self.syntax, pieces)


class IntegrationRecord(BaseModel):
    """All files of all agents, by the agent's name and the file's path, and the command that each is to start.

    `left_out` are the parts that the owner does not want in an agent, by its name.
    """

    agents: dict[str, dict[str, EditRecord]] = Field(default_factory=dict)
    programs: dict[str, str] = Field(default_factory=dict)
    left_out: dict[str, frozenset[str]] = Field(default_factory=dict)
