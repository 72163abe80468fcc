"""OpenClaw's and Pi's files: live ones, archives, and copies made before a compaction."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from pipeline.adapters.sources.openclaw.entries import Numbered, read_entries
from pipeline.adapters.sources.openclaw.folders import ASIDE, agent_of, store_beside
from pipeline.adapters.sources.openclaw.holders import NAME, SessionIndex, SessionWindow, read_index, window_of
from pipeline.adapters.sources.openclaw.store import taken_back
from pipeline.adapters.sources.reading.files import FileSource, SourceFile, SourcePlace, open_stream
from pipeline.adapters.sources.reading.records import identifier, moment, records
from pipeline.adapters.sources.reading.stores import StoreSource
from pipeline.errors import ReadFailed
from schemas.transcript import Session, TranscriptFile

_FILE = re.compile(r"(?P<id>.+?)(?P<copy>\.checkpoint\.[^.]+)?\.jsonl(?P<aside>\.(?:reset|deleted)\.[^.].*)?")
_DELETED = re.compile(r".+\.jsonl\.deleted\.(?P<day>[\d-]{10}T)(?P<time>\d\d-\d\d-\d\d)(?P<rest>[.\dZ]*)(?:\.\w+)?")
_NO_SESSION = re.compile(r"\.trajectory\.jsonl|\.(?:lock|bak|tmp)(?:\.|$)")


class OpenClawFiles(FileSource):
    """The files of sessions. A session that a store holds too is there now: its file is an archive."""

    def __init__(self, place: SourcePlace, stores: StoreSource) -> None:
        super().__init__(place, _is_session, self._parse, ASIDE)
        self._stores = stores
        self._indexes: dict[Path, tuple[tuple[int, int], SessionIndex]] = {}

    def files(self) -> Iterator[TranscriptFile]:
        """The files to read, in the order of their paths; of copies none when there is more than the copy."""
        listed = list(super().files())
        originals = {_original_path(file.path) for file in listed if not _is_copy(file.path)}
        newest: dict[str, TranscriptFile] = {}
        for file in listed:
            original = _original_path(file.path)
            best = newest.get(original)
            if _is_copy(file.path) and (best is None or (best.mtime_ns, best.path) < (file.mtime_ns, file.path)):
                newest[original] = file
        for file in listed:
            original = _original_path(file.path)
            if not _is_copy(file.path) or (original not in originals and newest[original] is file):
                yield file

    def _parse(self, file: SourceFile) -> Sequence[Session]:
        window, back = self._read_store(file.location, _FileRecords(file).session_id or _stem(file.path))
        reading = read_entries(file.place.settings.owner.ids, _FileRecords(file), back)
        if reading is None:
            return ()
        session_id = reading.session_id or _stem(file.path)
        index = self._read_index(file.location.parent)
        grouped = window.grouped or session_id in index.group
        aside = _DELETED.fullmatch(file.path)  # the hours have no colons there
        deleted = moment(aside["day"] + aside["time"].replace("-", ":") + aside["rest"]) if aside else None
        messages = reading.finish(grouped=grouped, deleted=deleted)
        session = file.place.session(
            file.path,
            session_id,
            reading.assembly,
            agent=agent_of(file.location),
            project=reading.project,
            parent=window.parent or reading.parent or None,
            machine=window.machine or session_id in index.machine,
            archived=not window.gone or _is_archived(file.path),
            messages=messages,
        )
        return (session,)

    def _read_store(self, file: Path, session_id: str) -> tuple[SessionWindow, frozenset[str]]:
        """Read what the store of the file's agent has: a session's window, and the ids of records taken back there.

        A store that cannot be read is trouble of its own, as long as an index beside the file tells who speaks.
        """
        beside = store_beside(file)
        if beside is None or not beside.is_file():
            return SessionWindow(), frozenset()
        try:
            with self._stores.open_database(beside) as store:
                window = window_of(store, session_id)
                return window, taken_back(store, "" if window.gone else window.successor or session_id, beside)
        except ReadFailed:
            if not (file.parent / NAME).is_file():
                raise
            return SessionWindow(), frozenset()

    def _read_index(self, folder: Path) -> SessionIndex:
        """The index of a folder, read again only when its file has changed."""
        try:
            state = (folder / NAME).stat()
        except OSError:
            return SessionIndex()
        version = (state.st_mtime_ns, state.st_size)
        known = self._indexes.get(folder)
        if known is None or known[0] != version:
            known = (version, read_index(folder))
            self._indexes[folder] = known
        return known[1]


class _FileRecords:
    """The records of an open file, from its beginning each time."""

    def __init__(self, file: SourceFile) -> None:
        self._file = file

    @property
    def session_id(self) -> str:
        """The id in the first record; empty when there is none."""
        first = next((record for _, record in self(Counter())), {})
        return identifier(first.get("id")) if first.get("type") == "session" else ""

    def __call__(self, skipped: Counter[str]) -> Numbered:
        if self._file.stream.seekable():
            self._file.stream.seek(0)
            yield from records(self._file.stream, skipped)
        else:  # compressed
            with open_stream(self._file.location) as stream:
                yield from records(stream, skipped)


def _is_session(name: str) -> bool:
    return _FILE.fullmatch(name) is not None and not _NO_SESSION.search(name)


def _is_copy(path: str) -> bool:
    """Whether a file is a copy made before a compaction."""
    return ".checkpoint." in path.rpartition("/")[2]


def _is_archived(path: str) -> bool:
    """Whether a file was put aside at a reset, at a deletion or before a compaction, and does not grow any more."""
    match = _FILE.fullmatch(path.rpartition("/")[2])
    return match is not None and bool(match["copy"] or match["aside"])


def _original_path(path: str) -> str:
    """The path of the session that a file is, is an archive of, or is a copy of, without its ending."""
    folder, slash, name = path.rpartition("/")
    match = _FILE.fullmatch(name)
    return folder + slash + (match["id"] if match else name)


def _stem(path: str) -> str:
    return _original_path(path).rpartition("/")[2]
