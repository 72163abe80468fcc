"""The edits of an agent's configuration: pieces, each at a place of one file."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


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
