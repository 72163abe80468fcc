"""Sources of transcripts, opened as the application opens them."""

from pathlib import Path
from typing import Any, Protocol

from pipeline.adapters.sources.kind import SourceKind
from pipeline.adapters.sources.reading.files import SourcePlace
from pipeline.ports.engine import TranscriptSource
from schemas.settings import SourceSettings
from schemas.transcript import Session


class SourceModule(Protocol):
    """A module of `pipeline.adapters.sources`."""

    KIND: SourceKind


def opened_source(module: SourceModule, root: Path, zone: str = "UTC", **settings: Any) -> TranscriptSource:  # noqa: ANN401 - settings of any sort
    """The source over `root`, with these settings."""
    kind = module.KIND
    return kind.source(SourcePlace(SourceSettings(kind=kind.name, path=str(root), **settings), root, zone))


def only_session(source: TranscriptSource, file: Path, path: str, content: bytes) -> Session:
    """The session of a file with this content, which is written first; `path` is how the source names it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    (session,) = source.read(path)
    return session
