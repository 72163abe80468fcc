"""The details of one workspace with all that keeping one needs: its store, its redactor, the clock."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pipeline.app.details.keep import KeepRequest, KeptText, keep
from pipeline.app.details.retrieve import retrieve
from pipeline.app.redaction import open_redactor
from pipeline.ports.engine import Clock, Redactor
from pipeline.process.context import ProcessContext
from pipeline.settings.load import load_settings
from pipeline.store.opening import WorkspaceStore
from schemas.detail import OWNER, DetailPage, DetailReader, PageRequest


@dataclass(frozen=True)
class OpenDetails:
    """The store of a workspace, and how texts get into it."""

    store: WorkspaceStore
    redactor: Redactor
    clock: Clock

    def keep(self, request: KeepRequest) -> KeptText:
        """Store a large text; see `pipeline.app.details.keep`.

        Raises:
            StoreError: nothing was stored.
        """
        return keep(self.store, request, self.redactor, self.clock)

    def retrieve(self, key: str, request: PageRequest, reader: DetailReader = OWNER) -> DetailPage:
        """A page of a detail; see `pipeline.app.details.retrieve`."""
        return retrieve(self.store, key, request, reader)


@contextmanager
def opened_details(root: Path, context: ProcessContext) -> Iterator[OpenDetails]:
    """The details of a workspace while it is needed; neither the ledger nor a job is loaded.

    Raises:
        SettingsInvalid: the settings cannot be used.
    """
    settings = load_settings(root, context.environment)
    store = WorkspaceStore(root, settings.store)
    try:
        yield OpenDetails(store, open_redactor(settings), context.clock)
    finally:
        store.close()
