"""The pieces of a back-up: bytes under their own hash, compressed, each in a file that is written once."""

import hashlib
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, Protocol

import zstandard

from pipeline.errors import WriteFailed
from pipeline.errors.backup import BackupDamaged
from pipeline.workspace.regular_files import read_regular, replace_private

FOLDER = "pieces"
SIZE = 65_536
"""Bytes of a piece, at fixed offsets of its file: a database keeps its pages in place."""
_LEVEL = 3
_LARGEST = 2 * SIZE  # of a compressed piece: what does not shrink gets a little larger
_PARTIAL = ".new"  # of `replace_private`
_NAME = re.compile(rf"[0-9a-f]{{64}}({re.escape(_PARTIAL)})?")


class PieceSink(Protocol):
    """Takes the pieces of files: those that are `there`, by name, and those that are added."""

    @property
    def there(self) -> set[str]:
        """The names of the pieces that need no adding."""

    def add_all(self, stream: BinaryIO) -> tuple[str, ...]:
        """Add the pieces of a stream; their names in its order."""


def compress_piece(data: bytes) -> bytes:
    """A piece as it is kept."""
    return zstandard.ZstdCompressor(level=_LEVEL).compress(data)


def restore_piece(name: str, compressed: bytes) -> bytes:
    """The bytes of a piece.

    Raises:
        ValueError: they are not what the name says; the text says why.
    """
    try:
        # A frame says how much it will be, so it is read no further than a piece can be.
        data = zstandard.ZstdDecompressor(max_window_size=SIZE).stream_reader(compressed).read(SIZE + 1)
    except zstandard.ZstdError as error:
        message = f"cannot be read: {error}"
        raise ValueError(message) from error
    if len(data) > SIZE or hashlib.sha256(data).hexdigest() != name:
        message = "is not what its name says"
        raise ValueError(message)
    return data


@dataclass
class PieceStore:
    """The pieces of the back-up in `folder`; `written` are those that this process has added, with their sizes."""

    folder: Path
    written: dict[str, int] = field(default_factory=dict)

    @cached_property
    def there(self) -> set[str]:
        """The names of all pieces; what a killed process has left half-written is none."""
        with _failures_named(self.folder):
            return {file.name for file in self._files() if not file.name.endswith(_PARTIAL)}

    def add(self, data: bytes) -> str:
        """Add a piece unless it is there; its name."""
        name = hashlib.sha256(data).hexdigest()
        if name not in self.there:
            compressed = compress_piece(data)
            with _failures_named(self.folder):
                replace_private(self._place(name), compressed, lasting=True)
            self.there.add(name)
            self.written[name] = len(compressed)
        return name

    def add_all(self, stream: BinaryIO) -> tuple[str, ...]:
        """Add the pieces of a stream; their names in its order."""
        return tuple(self.add(data) for data in iter(lambda: stream.read(SIZE), b""))

    def read(self, name: str) -> bytes:
        """The bytes of a piece."""
        file, folder = self._place(name), str(self.folder.parent)
        try:
            return restore_piece(name, read_regular(file, _LARGEST))
        except FileNotFoundError as error:
            raise BackupDamaged(str(file), "is missing", folder) from error
        except OSError as error:
            raise BackupDamaged(str(file), f"cannot be read: {error}", folder) from error
        except ValueError as error:
            raise BackupDamaged(str(file), str(error), folder) from error

    def drop_damaged(self) -> int:
        """Read every piece and remove those that cannot be used, so that they are written anew; how many."""
        damaged = 0
        for name in sorted(self.there):
            try:
                self.read(name)
            except BackupDamaged:
                self._remove(name)
                damaged += 1
        return damaged

    def keep(self, named: Collection[str]) -> None:
        """Remove the pieces that nothing names, and what killed processes have left."""
        for name in self.there.difference(named):
            self._remove(name)
        with _failures_named(self.folder):
            for file in self._files():
                if file.name.endswith(_PARTIAL):
                    file.unlink()

    def _remove(self, name: str) -> None:
        with _failures_named(self.folder):
            self._place(name).unlink(missing_ok=True)
        self.there.discard(name)

    def _files(self) -> Iterator[Path]:
        """The files in the places of pieces; all others are not ours, nor is what a link leads to."""
        for part in self.folder.iterdir() if self.folder.is_dir() else ():
            if not part.is_symlink():
                with suppress(NotADirectoryError):
                    names = (file for file in part.iterdir() if _NAME.fullmatch(file.name))
                    yield from (file for file in names if file.name[:2] == part.name)

    def _place(self, name: str) -> Path:
        return self.folder / name[:2] / name


@contextmanager
def _failures_named(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WriteFailed(str(folder), error.strerror or str(error)) from error


def piece_names(stream: BinaryIO) -> tuple[str, ...]:
    """The names that the pieces of a stream have, or would have."""
    return tuple(hashlib.sha256(data).hexdigest() for data in iter(lambda: stream.read(SIZE), b""))
