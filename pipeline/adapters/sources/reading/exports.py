"""A source over exports of chats: each conversation of an export is a file of the source, at `EXPORT/CONVERSATION`."""

import errno
import json
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import IO, BinaryIO, NamedTuple, Protocol
from urllib.parse import quote
from weakref import finalize

from pipeline.adapters.sources.reading.files import LARGEST_INSIDE, SourcePlace, file_inside, list_files
from pipeline.adapters.sources.reading.records import Record, mapping
from pipeline.adapters.sources.reading.stores import StoredSession
from pipeline.errors import ReadFailed
from pipeline.workspace.regular_files import LARGEST, open_regular
from schemas.transcript import Session, TranscriptFile

_PIECE = 1024 * 1024
_OPENING = re.compile(r"(?:\xef\xbb\xbf)?\s*(?:(?:\{\s*\"conversations\"\s*:\s*)?\[|(?=\{))")
_BETWEEN = re.compile(r"[\s,]*")
_DECODER = json.JSONDecoder(strict=False)
_CUT = object()


def elements(stream: IO[bytes]) -> Iterator[tuple[int, int, object]]:
    """The elements of an array, of the array `conversations` of an object, or the values of a file with one a line.

    Each comes with its place and length in bytes; its texts are not decoded: a character for each byte. No more than
    one is held in memory. A file of anything else has none.

    Raises:
        OSError: the file ends inside an element, or an element is no JSON or has more than `LARGEST` bytes.
    """
    text, before = _read_text(stream, _PIECE), 0
    opening = _OPENING.match(text)
    place = opening.end() if opening else len(text)
    while opening:
        between = _BETWEEN.match(text, place)
        place = between.end() if between else place
        value, end = _decode_at(text, place)
        if end == len(text) and (more := _read_text(stream, max(_PIECE, end - place))):
            if end - place > LARGEST:
                raise OSError(errno.EFBIG, f"it has a conversation of more than {LARGEST // 1_000_000} MB")
            text, before, place = text[place:] + more, before + place, 0
        elif (place < len(text) and text[place] in "]}") or (place == len(text) and not opening[0].endswith("[")):
            return
        elif value is _CUT:
            raise OSError(errno.EILSEQ, "it is not whole JSON; export it once more, or copy it again")
        else:
            yield before + place, end - place, value
            place = end


def _read_text(stream: IO[bytes], size: int) -> str:
    return stream.read(size).decode("latin-1")


def _decode_at(text: str, place: int) -> tuple[object, int]:
    """The value at a place and its end; `_CUT` and the end of the text when there is no whole one."""
    try:
        return _DECODER.raw_decode(text, place)
    except (ValueError, RecursionError):
        return _CUT, len(text)


_MEMBER = re.compile(r"conversations(?:-\d+)?\.jsonl?")
_ZIP = ".zip"
_BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, RuntimeError, ValueError, OverflowError)
"""The errors of a zip that is damaged, encrypted or packed in a way that is not known."""


class ExportFormat(Protocol):
    """The form in which one service writes conversations."""

    def read_listing(self, conversation: Record) -> StoredSession | None:
        """The entry of a conversation in the listing; `None` when it is another service's."""

    def parse(self, place: SourcePlace, path: str, conversation: Record) -> Session | None:
        """The session at a path; `None` when it is another service's."""


class _ByteRange(NamedTuple):
    """The place of a conversation: a member of the export, empty when it is no zip, and a range of bytes."""

    member: str
    offset: int
    length: int


class _Index(NamedTuple):
    """The conversations of an export as it was at a modification time (ns) and size."""

    version: tuple[int, int]
    files: list[TranscriptFile]
    spans: dict[str, _ByteRange]


class ExportSource:
    """The conversations in the exports below a folder.

    An export is read once to list it, a conversation at a time. After that a conversation is read at its place. For
    that a zip is uncompressed once into a temporary file, because it can only be read from its beginning.
    """

    def __init__(self, place: SourcePlace, export: ExportFormat) -> None:
        self._place = place
        self._format = export
        self._indexes: dict[str, _Index] = {}
        self._copies: dict[tuple[str, str], tuple[tuple[int, int], IO[bytes]]] = {}

    @property
    def name(self) -> str:
        """The name of this root in entries."""
        return self._place.settings.root_name

    def files(self) -> Iterator[TranscriptFile]:
        """All conversations, in the order of their paths; an export that cannot be read stands for itself."""
        exports = list_files(self._place.root, _is_export)
        yield from sorted(
            (file for export in exports for file in self._list_sessions(export)), key=lambda file: file.path
        )

    def _list_sessions(self, export: TranscriptFile) -> list[TranscriptFile]:
        try:
            return self._index(export.path).files
        except ReadFailed:  # reading it raises the same
            return [export]

    def read(self, path: str) -> Sequence[Session]:
        """The session of one path; of the path of an export alone there is none."""
        export, _, last = path.rpartition("/")
        try:
            if _is_export(last) and not (self._place.root / export).is_file():  # an id can look like an export
                self._index(path)
                return ()
            span = self._index(export).spans.get(last)
            session = self._conversation(export, span, path) if span else None
        except ReadFailed as error:
            raise ReadFailed(path, error.reason) from error
        return (session,) if session else ()

    def _conversation(self, export: str, span: _ByteRange, path: str) -> Session | None:
        content = self._read_bytes(export, span)
        try:
            value = json.loads(content.decode("utf-8", "replace"), strict=False)
        except (ValueError, RecursionError) as error:
            raise ReadFailed(path, "the export has changed since it was listed; it is read again") from error
        return self._format.parse(self._place, path, mapping(value))

    def _read_bytes(self, export: str, span: _ByteRange) -> bytes:
        """The bytes at a place; those of a zip out of a copy that is uncompressed once."""
        if span.member:
            copy = self._uncompress_member(export, span.member)
            copy.seek(span.offset)
            return copy.read(span.length)
        with _reading(file_inside(self._place.root, export)) as opened, _member(opened, "") as stream:
            stream.seek(span.offset)
            return stream.read(span.length)

    def _uncompress_member(self, export: str, member: str) -> IO[bytes]:
        """A part of a zip, in a file without a name, which is gone when the process ends."""
        version = self._indexes[export].version
        known = self._copies.get((export, member))
        if known and known[0] == version:
            return known[1]
        if known:
            known[1].close()
        with ExitStack() as undone, _reading(file_inside(self._place.root, export)) as opened:
            copy = undone.enter_context(TemporaryFile(prefix="memory-"))
            with _member(opened, member) as stream:
                copyfileobj(stream, copy)
            undone.pop_all()  # it is closed with the source
        finalize(self, copy.close)
        self._copies[export, member] = version, copy
        return copy

    def _index(self, export: str) -> _Index:
        """The index of an export, made again only when its file has changed."""
        file = file_inside(self._place.root, export)
        state = file.stat()
        version = (state.st_mtime_ns, state.st_size)
        known = self._indexes.get(export)
        if known is None or known.version != version:
            known = _Index(version, [], {})
            with _reading(file) as opened:
                for member in _members(opened):
                    with _member(opened, member) as stream:
                        for offset, length, value in elements(stream):
                            listed = self._format.read_listing(mapping(value))
                            key = quote(listed.session_id, safe="") if listed else ""
                            if listed and key not in known.spans:
                                known.spans[key] = _ByteRange(member, offset, length)
                                path = f"{export}/{key}"
                                known.files.append(
                                    TranscriptFile(path=path, size=listed.records, mtime_ns=listed.change)
                                )
            self._indexes[export] = known
        return known


_Opened = BinaryIO | zipfile.ZipFile


def _is_export(name: str) -> bool:
    return name.endswith(_ZIP) or _MEMBER.fullmatch(name) is not None


@contextmanager
def _reading(file: Path) -> Iterator[_Opened]:
    """An open export."""
    try:
        with open(file, "rb", opener=open_regular) as stream:
            if file.name.endswith(_ZIP):
                with zipfile.ZipFile(stream) as archive:
                    yield archive
            else:
                yield stream
    except OSError as error:
        raise ReadFailed(file.name, error.strerror or str(error)) from error
    except _BROKEN as error:
        raise ReadFailed(file.name, f"it is no zip that can be read: {error}") from error


def _members(opened: _Opened) -> list[str]:
    """The parts of an export that hold conversations."""
    if not isinstance(opened, zipfile.ZipFile):
        return [""]
    named = {entry.filename: entry.file_size for entry in opened.infolist()}
    members = sorted(name for name in named if _MEMBER.fullmatch(PurePosixPath(name).name))
    if sum(named[name] for name in members) > LARGEST_INSIDE:
        raise OSError(errno.EFBIG, f"it holds more than {LARGEST_INSIDE} bytes")
    return members


@contextmanager
def _member(opened: _Opened, name: str) -> Iterator[IO[bytes]]:
    if isinstance(opened, zipfile.ZipFile):
        if name not in opened.namelist():
            raise OSError(errno.ENOENT, "the export has changed since it was listed; it is read again")
        with opened.open(name) as stream:
            yield stream
    else:
        opened.seek(0)
        yield opened
