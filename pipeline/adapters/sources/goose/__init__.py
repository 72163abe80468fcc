"""The sessions of Goose: a SQLite store, and before version 1.10 a file of JSON lines a session."""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from pipeline.adapters.sources.goose.legacy import parse
from pipeline.adapters.sources.goose.store import GooseStore
from pipeline.adapters.sources.reading.files import FileSource, SourcePlace
from pipeline.adapters.sources.reading.joined import JoinedSource
from pipeline.adapters.sources.reading.listing import is_lines, named_folder
from pipeline.adapters.sources.reading.stores import StoreSource
from pipeline.ports.engine import TranscriptSource
from schemas.settings import SourceSettings

KIND = "goose"

_STORE = "sessions.db"


def default_roots(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    """Where Goose leaves its sessions, whether the folder is there or not."""
    if named := environment.get("GOOSE_PATH_ROOT", ""):
        return (Path(named).expanduser() / "data" / "sessions",)
    return (named_folder(environment, "XDG_DATA_HOME", home / ".local" / "share") / "goose" / "sessions",)


def open_source(settings: SourceSettings, root: Path, zone: str) -> TranscriptSource:
    """The source over `root`, in the settings' own zone or else in `zone`."""
    place = SourcePlace(settings, root, zone)
    stores = StoreSource(place, _is_store, GooseStore(place))
    return JoinedSource(stores, FileSource(place, is_lines, parse), _session_id)


def _is_store(name: str) -> bool:
    return name == _STORE


def _session_id(path: str) -> str:
    return PurePosixPath(path).stem
