"""The conversations of the workspace's own store, in SQLite or PostgreSQL, as sessions."""

from collections.abc import Mapping
from pathlib import Path

from pipeline.adapters.sources.reading.files import SourcePlace
from pipeline.adapters.sources.reading.stores import StoreSource
from pipeline.adapters.sources.store.rows import ConversationRows
from pipeline.adapters.sources.store.server import ConversationServer
from pipeline.ports.engine import TranscriptSource
from pipeline.store.opening import FILE
from schemas.settings import SourceSettings
from schemas.store_settings import StoreSettings

KIND = "store"
OF_THE_STORE = True
"""Its `open_source` takes the settings of the store as well."""
_FILE_ALONE = StoreSettings()


def default_roots(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    """None: the conversations of a workspace are read where its settings name them."""
    del home, environment
    return ()


def open_source(
    settings: SourceSettings, root: Path, zone: str, store: StoreSettings = _FILE_ALONE
) -> TranscriptSource:
    """The source over the store's folder, or over the server that `store` names."""
    place = SourcePlace(settings, root, zone)
    if store.url.get_secret_value():
        return ConversationServer(place, store)
    return StoreSource(place, lambda name: name == FILE, ConversationRows(place))
