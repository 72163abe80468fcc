"""The sessions of Hermes: a SQLite store a profile, and in older versions a JSON file a session."""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from pipeline.adapters.sources.hermes.legacy import parse
from pipeline.adapters.sources.hermes.store import HermesStore
from pipeline.adapters.sources.reading.files import FileSource, SourcePlace
from pipeline.adapters.sources.reading.joined import JoinedSource
from pipeline.adapters.sources.reading.listing import named_folder
from pipeline.adapters.sources.reading.stores import StoreSource
from pipeline.ports.engine import TranscriptSource
from schemas.settings import SourceSettings

KIND = "hermes"

_STORE = "state.db"
_PREFIX = "session_"
_ASIDE = frozenset(
    {
        "audio_cache", "bin", "cache", "checkpoints", "document_cache", "hermes-agent", "image_cache", "logs",
        "memories", "node_modules", "plugins", "sandboxes", "skills", "state-snapshots", "venv", ".git",
    }
)  # fmt: skip


def default_roots(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    """Where Hermes leaves its sessions, whether the folder is there or not."""
    return (named_folder(environment, "HERMES_HOME", home / ".hermes"),)


def open_source(settings: SourceSettings, root: Path, zone: str) -> TranscriptSource:
    """The source over `root`, in the settings' own zone or else in `zone`."""
    place = SourcePlace(settings, root, zone)
    stores = StoreSource(place, _is_store, HermesStore(place), _ASIDE)
    return JoinedSource(stores, FileSource(place, _is_session, parse, _ASIDE), _session_id)


def _is_store(name: str) -> bool:
    return name == _STORE


def _is_session(name: str) -> bool:
    return name.startswith(_PREFIX) and name.endswith(".json")


def _session_id(path: str) -> str:
    return PurePosixPath(path).stem.removeprefix(_PREFIX)
