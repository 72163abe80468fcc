"""The sessions of OpenCode: a SQLite store, and before version 1.2 a folder of JSON files."""

from collections.abc import Mapping
from pathlib import Path

from pipeline.adapters.sources.opencode.folders import parse
from pipeline.adapters.sources.opencode.store import OpenCodeStore
from pipeline.adapters.sources.reading.files import FileSource, SourcePlace
from pipeline.adapters.sources.reading.joined import JoinedSource
from pipeline.adapters.sources.reading.listing import named_folder
from pipeline.adapters.sources.reading.stores import StoreSource
from pipeline.ports.engine import TranscriptSource
from schemas.settings import SourceSettings

KIND = "opencode"

# Copies of work trees, logs and programs; the parts of messages are read with their session.
_ASIDE = frozenset(
    {"bin", "log", "message", "part", "repos", "session_diff", "snapshot", "todo", "tool-output", "worktree"}
)


def default_roots(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    """Where OpenCode leaves its sessions, whether the folder is there or not."""
    return (named_folder(environment, "XDG_DATA_HOME", home / ".local" / "share") / "opencode",)


def open_source(settings: SourceSettings, root: Path, zone: str) -> TranscriptSource:
    """The source over `root`, in the settings' own zone or else in `zone`."""
    place = SourcePlace(settings, root, zone)
    stores = StoreSource(place, _is_store, OpenCodeStore(place), _ASIDE)
    return JoinedSource(stores, FileSource(place, _is_session, parse, _ASIDE))


def _is_store(name: str) -> bool:
    """Whether a file is a store; a build of another channel has its name in it, as in `opencode-dev.db`."""
    return name.startswith("opencode") and name.endswith(".db")


def _is_session(name: str) -> bool:
    return name.startswith("ses_") and name.endswith(".json")
