"""The sessions of Codex: one rollout file a session, plain or compressed, live or archived."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from pipeline.adapters.sources.codex.lines import CodexProgress
from pipeline.adapters.sources.reading.files import FileSource, SourceFile, SourcePlace
from pipeline.ports.engine import TranscriptSource
from schemas.settings import SourceSettings
from schemas.transcript import Session

KIND = "codex"

_FILE = re.compile(r"rollout-.+\.jsonl(?:\.zst)?")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)


def default_roots(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    """Where Codex leaves its sessions, whether the folder is there or not."""
    named = environment.get("CODEX_HOME", "")
    return (*((Path(named).expanduser(),) if named else ()), home / ".codex")


def open_source(settings: SourceSettings, root: Path, zone: str) -> TranscriptSource:
    """The source over `root`, in the settings' own zone or else in `zone`."""
    return FileSource(SourcePlace(settings, root, zone), _is_session, _parse)


def _is_session(name: str) -> bool:
    return _FILE.fullmatch(name) is not None


def _parse(file: SourceFile) -> Sequence[Session]:
    reading = CodexProgress(headless=file.place.settings.headless)
    if not reading.take_all(file.stream):
        return ()
    session = file.place.session(
        file.path,
        reading.header.session_id or _named(file.path),
        reading.assembly,
        project=reading.header.project,
        remote=reading.header.remote,
        parent=reading.header.parent or None,
        machine=reading.header.machine,
        archived="archived_sessions" in file.location.parts,
        messages=reading.finish(),
    )
    return (session,)


def _named(path: str) -> str:
    """The id in a file's name, or else the name itself."""
    name = PurePosixPath(path).name.partition(".")[0]
    ids = _UUID.findall(name)
    return ids[-1] if ids else name
