"""A source over files: each file holds one session or more, as plain text or compressed with zstd."""

import errno
import io
import os
import re
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from pipeline.adapters.sources.reading.assembly import Assembly
from pipeline.errors import ReadFailed
from pipeline.workspace.regular_files import LATEST_CHANGE, open_regular, why_unsuitable
from schemas.settings import SourceSettings
from schemas.store_settings import StoreSettings
from schemas.transcript import Message, Origin, Session, TranscriptFile

ENDINGS = (".zst", ".zstd")
LARGEST_INSIDE = 4 * 1024 * 1024 * 1024
"""Bytes that a compressed file may hold; one that holds more is refused, since a small file can hold any number."""
_LARGEST_WINDOW = 128 * 1024 * 1024  # bytes of memory for the decoder, as `zstd -d` allows
_BUFFER = 256 * 1024


@contextmanager
def open_stream(file: Path, largest: int = LARGEST_INSIDE) -> Iterator[BinaryIO]:
    """The bytes of a regular file; of one that ends in one of `ENDINGS`, the bytes that were compressed.

    Raises:
        OSError: the system refuses, no regular file stands there, or it cannot be uncompressed.
    """
    with open(file, "rb", opener=open_regular) as stream:
        if not file.name.endswith(ENDINGS):
            yield stream
            return
        with uncompress(stream, file, largest) as inside:
            yield inside


def uncompress(stream: BinaryIO, file: Path, largest: int = LARGEST_INSIDE) -> BinaryIO:
    """The bytes that were compressed into a stream; `file` is named in its errors, which are those of a file."""
    return io.BufferedReader(_Uncompressed(stream, file, largest), _BUFFER)


class _Uncompressed(io.RawIOBase):
    """The bytes inside a compressed stream; its errors are those of a file."""

    def __init__(self, stream: BinaryIO, file: Path, largest: int) -> None:
        import zstandard  # noqa: PLC0415 - few sources have such files

        super().__init__()
        self._error = zstandard.ZstdError
        self._file = os.fspath(file)
        self._left = self._largest = largest
        decoder = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW)
        self._reader = decoder.stream_reader(stream, read_across_frames=True)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:  # noqa: ANN401 - all that can be written into
        try:
            size: int = self._reader.readinto(buffer)
        except self._error as error:
            raise OSError(errno.EIO, f"it cannot be uncompressed: {error}", self._file) from error
        self._left -= size
        if self._left < 0:
            raise OSError(errno.EFBIG, f"it holds more than {self._largest} bytes", self._file)
        return size


# A path stands on one line of an entry and is encoded to UTF-8.
_UNSPEAKABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")

_Wanted = tuple[Callable[[str], object], AbstractSet[str]]


def is_lines(name: str) -> bool:
    """Whether a file is one of JSON lines, by its name."""
    return name.endswith(".jsonl")


def list_files(
    root: Path, keep: Callable[[str], object], aside: AbstractSet[str] = frozenset()
) -> list[TranscriptFile]:
    """All files below `root` whose name `keep` accepts, in the order of their paths; links are followed.

    Folders of a name in `aside` are not entered: an agent may keep a hundred thousand files there, and no session.
    Folders, named pipes and other irregular files are among them: reading one raises the error.
    """
    try:
        os.scandir(root).close()
        os.stat(os.path.join(root, "."))  # noqa: PTH116, PTH118 - a Path drops the dot, which needs the right to enter
    except OSError as error:
        raise ReadFailed(str(root), error.strerror or str(error)) from error
    seen: set[tuple[int, int]] = set()
    return sorted(_files_below(str(root), "", (keep, aside), seen), key=lambda file: file.path)


def _files_below(folder: str, prefix: str, wanted: _Wanted, seen: set[tuple[int, int]]) -> Iterator[TranscriptFile]:
    keep, aside = wanted
    try:
        status = os.stat(folder)  # noqa: PTH116 - half the time of a Path, on thousands of folders
        entries = list(os.scandir(folder))
    except OSError:
        return
    if (status.st_dev, status.st_ino) in seen:
        return
    seen.add((status.st_dev, status.st_ino))
    for entry in entries:
        if _UNSPEAKABLE.search(entry.name):
            continue
        path = prefix + entry.name
        try:
            if entry.name not in aside and entry.is_dir():
                yield from _files_below(entry.path, f"{path}/", wanted, seen)
            if keep(entry.name):
                state = entry.stat()
                yield TranscriptFile(path=path, size=state.st_size, mtime_ns=min(state.st_mtime_ns, LATEST_CHANGE))
        except OSError:
            continue


def file_inside(root: Path, path: str) -> Path:
    """The file that `path` names below `root`."""
    relative = PurePosixPath(path)
    if relative.is_absolute() or ".." in relative.parts or "\x00" in path:
        raise ReadFailed(path, "it is not inside the folder of the source")
    file = root / relative
    try:
        file.stat()
        why = why_unsuitable(file, None)
    except (OSError, UnicodeEncodeError) as error:
        raise ReadFailed(path, getattr(error, "strerror", None) or str(error)) from error
    if why:
        raise ReadFailed(path, why)
    return file


@dataclass(frozen=True)
class SourcePlace:
    """The place that a source reads: its settings, its folder, and the zone of the owner's local dates elsewhere.

    `store` is that of the workspace, for the source that reads it.
    """

    settings: SourceSettings
    root: Path
    usual_zone: str
    store: StoreSettings = field(default_factory=StoreSettings)

    @property
    def zone(self) -> str:
        """The zone of its owner's local dates, an IANA name."""
        return self.settings.timezone or self.usual_zone

    def session(self, path: str, session_id: str, assembly: Assembly, **fields: Any) -> Session:  # noqa: ANN401 - pydantic checks them
        """The session at `path` that was assembled, with other `fields` of `Session`.

        It is a machine's when the fields say so, or when no message in it is the owner's.
        """
        messages: tuple[Message, ...] = fields.pop("messages", None) or assembly.messages()
        spoken = any(message.origin is Origin.OWNER for message in messages)
        fields["machine"] = bool(fields.get("machine")) or not spoken
        return Session(
            session_id=session_id,
            source=self.settings.root_name,
            path=path,
            zone=self.zone,
            messages=messages,
            skipped=dict(assembly.skipped),
            evidence=assembly.calls.evidence(),
            **fields,
        )


@dataclass(frozen=True)
class SourceFile:
    """A file that is open: `path` is relative to the root of its source, `stream` holds its bytes, uncompressed."""

    place: SourcePlace
    path: str
    stream: BinaryIO

    @property
    def location(self) -> Path:
        """The path of the file."""
        return self.place.root / self.path


Parse = Callable[[SourceFile], Sequence[Session]]
"""From a file to its sessions; none when the file is another program's."""


class FileSource:
    """The sessions in the files below a folder."""

    def __init__(
        self, place: SourcePlace, keep: Callable[[str], object], parse: Parse, aside: AbstractSet[str] = frozenset()
    ) -> None:
        """`keep` accepts the names of files that may hold a session; folders of a name in `aside` hold none."""
        self._place = place
        self._keep = keep
        self._parse = parse
        self._aside = aside

    @property
    def name(self) -> str:
        """The name of this root in entries."""
        return self._place.settings.root_name

    def files(self) -> Iterator[TranscriptFile]:
        """All files of an accepted name, in the order of their paths."""
        yield from list_files(self._place.root, self._keep, self._aside)

    def read(self, path: str) -> Sequence[Session]:
        """The sessions in one file."""
        file = file_inside(self._place.root, path)
        try:
            with open_stream(file) as stream:
                return self._parse(SourceFile(self._place, path, stream))
        except OSError as error:
            raise ReadFailed(path, error.strerror or str(error)) from error
