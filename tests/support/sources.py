"""Sources of transcripts, opened as the application opens them."""

from pathlib import Path
from typing import Any, Protocol

from pipeline.ports.engine import TranscriptSource
from schemas.settings import SourceSettings
from schemas.transcript import Session


class SourceModule(Protocol):
    """A module of `pipeline.adapters.sources`."""

    KIND: str

    def open_source(self, settings: SourceSettings, root: Path, zone: str) -> TranscriptSource:
        """The source over `root`."""


def opened_source(module: SourceModule, root: Path, zone: str = "UTC", **settings: Any) -> TranscriptSource:  # noqa: ANN401 - settings of any sort
    """The source over `root`, with these settings."""
    return module.open_source(SourceSettings(kind=module.KIND, path=str(root), **settings), root, zone)


def only_session(source: TranscriptSource, file: Path, path: str, content: bytes) -> Session:
    """The session of a file with this content, which is written first; `path` is how the source names it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    (session,) = source.read(path)
    return session
