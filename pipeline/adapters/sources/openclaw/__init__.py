"""The sessions of OpenClaw, and of Pi, which writes the same format (version 3 entries, one JSON object a line).

OpenClaw keeps them in a store since version 2026.8, and leaves the files of earlier versions beside it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from pipeline.adapters.sources.kind import SourceKind, named_and_usual
from pipeline.adapters.sources.openclaw.files import OpenClawFiles
from pipeline.adapters.sources.openclaw.folders import (
    ASIDE,
    STORE,
    current_folder,
    last_name,
    outermost,
    root_of_stores,
)
from pipeline.adapters.sources.openclaw.store import OpenClawStore
from pipeline.adapters.sources.reading.files import SourcePlace
from pipeline.adapters.sources.reading.stores import JoinedSource, StoreSource
from schemas.transcript import TranscriptFile


def _roots(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    state = named_and_usual(environment, "OPENCLAW_STATE_DIR", home / ".openclaw")
    return outermost((*state, home / ".clawdbot", home / ".pi" / "agent" / "sessions"))


class _OpenClawSource(JoinedSource):
    """Stores and files; what a store has archived as a file is read from the file as long as it is there."""

    def __init__(self, place: SourcePlace) -> None:
        stored = replace(place, root=root_of_stores(place.root))
        stores = StoreSource(stored, STORE.__eq__, OpenClawStore(stored), ASIDE)
        super().__init__(stores, OpenClawFiles(place, stores))

    def files(self) -> Iterator[TranscriptFile]:
        listed = list(super().files())
        files = {last_name(file.path) for file in listed if not self._stores.holds(file.path)}
        for file in listed:
            if not self._stores.holds(file.path) or last_name(file.path) not in files:
                yield file


KIND = SourceKind("openclaw", lambda place: _OpenClawSource(replace(place, root=current_folder(place.root))), _roots)
