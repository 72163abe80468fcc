"""The sessions of Roo Code, which keeps its tasks as Cline does."""

from collections.abc import Mapping
from pathlib import Path

from pipeline.adapters.sources.cline import ASIDE, CONVERSATION, parse_task, storage_roots
from pipeline.adapters.sources.reading.files import FileSource, SourcePlace
from pipeline.ports.engine import TranscriptSource
from schemas.settings import SourceSettings

KIND = "roo"


def default_roots(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    """Where Roo Code leaves its tasks, whether the folders are there or not."""
    return tuple(storage_roots(home, environment, "rooveterinaryinc.roo-cline"))


def open_source(settings: SourceSettings, root: Path, zone: str) -> TranscriptSource:
    """The source over `root`, in the settings' own zone or else in `zone`."""
    return FileSource(SourcePlace(settings, root, zone), _is_session, parse_task, ASIDE)


def _is_session(name: str) -> bool:
    return name == CONVERSATION
