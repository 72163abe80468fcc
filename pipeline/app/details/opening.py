"""The store of a workspace, by its settings alone: neither the ledger nor a job is loaded."""

from pathlib import Path

from pipeline.process.context import ProcessContext
from pipeline.settings.load import load_settings
from pipeline.store.opening import WorkspaceStore
from schemas.settings import Settings


def open_store(root: Path, context: ProcessContext) -> WorkspaceStore:
    """The store that the settings name; nothing is opened before it is used."""
    return store_of(root, load_settings(root, context.environment))


def store_of(root: Path, settings: Settings) -> WorkspaceStore:
    """The store of a workspace whose settings are here."""
    return WorkspaceStore(root, settings.store)
