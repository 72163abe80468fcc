"""The generations of a back-up: each a small signed manifest of one whole state of the workspace.

A manifest names the pieces of the list of files, and the hash of the manifest before it. So a changed, swapped or
missing part is noticed; that the newest generations were taken away is noticed only by a home that has seen them.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from pathlib import Path, PurePosixPath

from pydantic import BaseModel, TypeAdapter, ValidationError, field_validator

from pipeline.backup.key import OwnerKey
from pipeline.backup.pieces import SIZE, PieceStore
from pipeline.errors import WriteFailed
from pipeline.errors.backup import BackupDamaged, BackupForged, BackupNewer, NoBackup, UnknownGeneration
from pipeline.transcripts.kept_talk import FOLDER as KEPT_TALK
from pipeline.workspace.files import STATE_FOLDER
from pipeline.workspace.layout import LEDGER_FILE
from pipeline.workspace.regular_files import read_regular, replace_private
from schemas.base import Moment, Value

FOLDER = "generations"
FORMAT = 1
_DIGITS = 6
_LARGEST = 1_000_000  # bytes of a manifest: it names some pieces and no file
_LARGEST_LIST = 1_000 * SIZE  # bytes of a list of files
_OF_STATE = {(LEDGER_FILE,), (KEPT_TALK,)}
"""What a back-up holds of the folder of derived files: never what another program, or this one, would run."""


class SavedFile(Value):
    """A file of a back-up; `size` is in bytes. `ctime_ns` and `inode` are of the original, to see that it changed."""

    path: str
    size: int
    mode: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    pieces: tuple[str, ...]

    @field_validator("path")
    @classmethod
    def _inside(cls, path: str) -> str:
        """The path, which has to be one in a workspace: a list that nobody signed could name any other."""
        pure = PurePosixPath(path)
        if pure.is_absolute() or ".." in pure.parts or not pure.parts or pure.as_posix() != path or "\0" in path:
            message = "it is no path inside a workspace"
            raise ValueError(message)
        if ".git" in pure.parts or (pure.parts[0] == STATE_FOLDER and pure.parts[1:2] not in _OF_STATE):
            message = "it is no path of a back-up"
            raise ValueError(message)
        return path


_LIST = TypeAdapter(tuple[SavedFile, ...])


class _AnyManifest(BaseModel):
    """The fields of a manifest that every version has."""

    format: int
    version: str


class Manifest(Value):
    """A generation: who made it of what, when, the pieces of its list of `files`, and their number and size."""

    format: int = FORMAT
    version: str
    key: str
    chain: str
    workspace: str
    number: int
    previous: str
    made: Moment
    host: str
    folder: str
    files: tuple[str, ...]
    count: int
    size: int

    @property
    def body(self) -> bytes:
        """The text that is signed."""
        return self.model_dump_json().encode()

    @property
    def digest(self) -> str:
        """The hash by which the next generation names this one."""
        return hashlib.sha256(self.body).hexdigest()


def save_list(pieces: PieceStore, files: Sequence[SavedFile]) -> tuple[str, ...]:
    """Add the list of files; the names of its pieces."""
    data = _LIST.dump_json(tuple(files))
    if len(data) > _LARGEST_LIST:
        raise WriteFailed(str(pieces.folder.parent), "the workspace has more files than a back-up can list")
    return pieces.add_all(BytesIO(data))


def read_list(pieces: PieceStore, manifest: Manifest) -> dict[str, SavedFile]:
    """The files of a generation, by path: as many, and of the size, as its manifest says."""
    folder = str(pieces.folder.parent)
    if len(manifest.files) * SIZE > _LARGEST_LIST:
        raise BackupDamaged(folder, "has a list of files that is too large", folder)
    data = b"".join(map(pieces.read, manifest.files))
    try:
        files = {file.path: file for file in _LIST.validate_json(data)}
    except ValidationError as error:
        raise BackupDamaged(folder, "has a list of files that is none", folder) from error
    if (len(files), sum(file.size for file in files.values())) != (manifest.count, manifest.size):
        raise BackupDamaged(folder, "has other files than it says", folder)
    return files


@dataclass(frozen=True)
class Generations:
    """The manifests of a back-up in `folder`."""

    folder: Path

    @property
    def numbers(self) -> list[int]:
        """The numbers of the generations, the oldest first."""
        try:
            files = list((self.folder / FOLDER).iterdir())
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise NoBackup(str(self.folder), f" that could be read ({error.strerror or error})") from error
        return sorted(int(file.name) for file in files if file.name.isdecimal() and len(file.name) == _DIGITS)

    def read(self, number: int, key: OwnerKey | None) -> Manifest:
        """A generation, whose signature is checked where there is a `key`."""
        file, folder = self._place(number), str(self.folder)
        try:
            body, _, signature = read_regular(file, _LARGEST).partition(b"\n")
        except OSError as error:
            raise BackupDamaged(str(file), f"cannot be read: {error.strerror or error}", folder) from error
        if key and not key.has_signed(body, signature.decode(errors="replace").rstrip("\n")):
            raise BackupForged(str(file), "does not have the signature of your key", folder)
        try:
            known = _AnyManifest.model_validate_json(body)
            if known.format > FORMAT:
                raise BackupNewer(folder, known.version)
            manifest = Manifest.model_validate_json(body)
        except ValidationError as error:
            raise BackupDamaged(str(file), "is no generation", folder) from error
        if manifest.number != number:
            raise BackupForged(str(file), f"is generation {manifest.number}, under another name", folder)
        return manifest

    def chain(self, key: OwnerKey | None) -> list[Manifest]:
        """All generations, the oldest first, each of which names the one before it."""
        manifests = [self.read(number, key) for number in self.numbers]
        for before, after in pairwise(manifests):
            if after.number != before.number + 1:
                raise BackupDamaged(str(self._place(before.number + 1)), "is missing", str(self.folder))
            if (after.previous, after.chain, after.workspace) != (before.digest, before.chain, before.workspace):
                raise BackupForged(str(self._place(before.number)), "is not the one before the next", str(self.folder))
        return manifests

    def write(self, manifest: Manifest, key: OwnerKey) -> None:
        """Add a generation, at once."""
        data = b"%b\n%b\n" % (manifest.body, key.sign(manifest.body).encode())
        try:
            replace_private(self._place(manifest.number), data, lasting=True)
        except OSError as error:
            raise WriteFailed(str(self.folder), error.strerror or str(error)) from error

    def drop_oldest(self, kept: int) -> None:
        """Remove all generations but the newest, the oldest first: a kill leaves no gap."""
        try:
            for number in self.numbers[:-kept]:
                self._place(number).unlink()
        except OSError as error:
            raise WriteFailed(str(self.folder), error.strerror or str(error)) from error

    def _place(self, number: int) -> Path:
        return self.folder / FOLDER / f"{number:0{_DIGITS}}"


def chosen(chain: Sequence[Manifest], number: int | None) -> Manifest:
    """The generation of this number, the newest where there is none.

    Raises:
        UnknownGeneration: the back-up has none of this number.
    """
    wanted = [manifest for manifest in chain if number in {None, manifest.number}]
    if not wanted:
        raise UnknownGeneration(str(number), [str(manifest.number) for manifest in chain])
    return wanted[-1]
