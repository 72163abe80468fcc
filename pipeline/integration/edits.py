"""The edits of an agent's configuration: pieces, each at a place of one file; and the record of what was put in."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, JsonValue


class Uneditable(Exception):
    """A text that cannot be changed safely; `str()` completes a sentence that begins with the file."""


class Syntax(StrEnum):
    """The syntax of a configuration file."""

    JSON = "json"
    JSON5 = "json5"
    """JSON with comments and trailing commas, which the agent allows."""
    TOML = "toml"
    MARKDOWN = "markdown"
    WHOLE = "whole"
    """A file that is all ours."""


@dataclass(frozen=True)
class Piece:
    """A part of a configuration file that we write.

    In JSON and TOML `path` are the keys that lead to it, and `value` is what JSON can say. With `listed` it is an
    element of the list at `path`. Elsewhere there is no path, and the value is the text. A `shared` piece is only a
    setting that has to be there: it is added where it is missing, and accepted whoever wrote it.
    """

    path: tuple[str, ...]
    value: object
    listed: bool = False
    shared: bool = False

    @property
    def name(self) -> str:
        """The path as people write it."""
        return ".".join(self.path)


@dataclass(frozen=True)
class FileEdit:
    """The pieces that one file has to hold."""

    file: Path
    syntax: Syntax
    pieces: tuple[Piece, ...]


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
