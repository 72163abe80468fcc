"""The sessions of OpenClaw, and of Pi, which writes the same format (version 3 entries, one JSON object a line)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pipeline.adapters.sources.openclaw.entries import OpenClawProgress
from pipeline.adapters.sources.openclaw.session_index import NAME, SessionIndex, read_index
from pipeline.adapters.sources.reading.files import FileSource, SourceFile, SourcePlace
from pipeline.adapters.sources.speakers.owner import Owner
from pipeline.ports.engine import TranscriptSource
from schemas.settings import SourceSettings
from schemas.transcript import Session, TranscriptFile

KIND = "openclaw"

_FILE = re.compile(r"(?P<id>.+?)(?P<copy>\.checkpoint\.[^.]+)?\.jsonl(?P<aside>\.(?:reset|deleted)\.[^.].*)?")
_NO_SESSION = re.compile(r"\.trajectory\.jsonl|\.(?:lock|bak|tmp)(?:\.|$)")


def default_roots(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    """Where these agents leave their sessions, whether the folders are there or not."""
    state = environment.get("OPENCLAW_STATE_DIR", "")
    named = (Path(state).expanduser(),) if state else ()
    return (*named, home / ".openclaw", home / ".clawdbot", home / ".pi" / "agent" / "sessions")


def open_source(settings: SourceSettings, root: Path, zone: str) -> TranscriptSource:
    """The source over `root`, in the settings' own zone or else in `zone`."""
    return _OpenClawFiles(SourcePlace(settings, root, settings.timezone or zone))


class _OpenClawFiles(FileSource):
    def __init__(self, place: SourcePlace) -> None:
        super().__init__(place, _is_session, self._parse)
        self._indexes: dict[Path, tuple[tuple[int, int], SessionIndex]] = {}

    def files(self) -> Iterator[TranscriptFile]:
        listed = list(super().files())
        originals = {_original(file.path) for file in listed if not _is_copy(file.path)}
        newest: dict[str, TranscriptFile] = {}
        for file in listed:
            original = _original(file.path)
            best = newest.get(original)
            if _is_copy(file.path) and (best is None or (best.mtime_ns, best.path) < (file.mtime_ns, file.path)):
                newest[original] = file
        for file in listed:
            original = _original(file.path)
            if not _is_copy(file.path) or (original not in originals and newest[original] is file):
                yield file

    def _parse(self, file: SourceFile) -> Sequence[Session]:
        reading = OpenClawProgress(Owner(file.place.settings.owner.ids))
        if not reading.take_all(file.stream):
            return ()
        session_id = reading.session_id or _stem(file.path)
        index = self._index(file.location.parent)
        messages = reading.finish(grouped=session_id in index.group)
        session = file.place.session(
            file.path,
            session_id,
            reading.assembly,
            agent=_agent(file.location),
            project=reading.project,
            parent=reading.parent or None,
            machine=session_id in index.machine,
            archived=_is_archived(file.path),
            messages=messages,
        )
        return (session,)

    def _index(self, folder: Path) -> SessionIndex:
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


def _is_session(name: str) -> bool:
    return _FILE.fullmatch(name) is not None and not _NO_SESSION.search(name)


def _is_copy(path: str) -> bool:
    """Whether a file is a copy made before a compaction."""
    return ".checkpoint." in path.rpartition("/")[2]


def _is_archived(path: str) -> bool:
    """Whether a file was put aside at a reset, at a deletion or before a compaction, and does not grow any more."""
    match = _FILE.fullmatch(path.rpartition("/")[2])
    return match is not None and bool(match["copy"] or match["aside"])


def _original(path: str) -> str:
    """The path of the session that a file is, is an archive of, or is a copy of, without its ending."""
    folder, slash, name = path.rpartition("/")
    match = _FILE.fullmatch(name)
    return folder + slash + (match["id"] if match else name)


def _stem(path: str) -> str:
    return _original(path).rpartition("/")[2]


def _agent(file: Path) -> str:
    """The agent whose folder a file is in: `agents/<agent>/sessions/`."""
    parts = file.parts
    for place in range(len(parts) - 3, -1, -1):
        if parts[place] == "agents" and parts[place + 2] == "sessions":
            return parts[place + 1]
    return ""
