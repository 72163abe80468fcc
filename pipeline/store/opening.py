"""The store of a workspace, opened at its first use: a command that needs none does not pay for loading it."""

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from schemas.store_settings import StoreSettings

if TYPE_CHECKING:
    from pipeline.store.conversations import ConversationTable
    from pipeline.store.database import Database
    from pipeline.store.details import DetailTable

FOLDER, FILE = "store", "memory.db"
_IN_MEMORY = 4_194_304  # bytes of a text that are kept in memory before they go into a file


@dataclass
class WorkspaceStore:
    """The store of one workspace. It may be shared by threads."""

    root: Path
    settings: StoreSettings
    _database: "Database | None" = field(default=None, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    @property
    def threshold(self) -> int:
        """A text of more tokens is stored."""
        return self.settings.threshold

    @property
    def exists(self) -> bool:
        """Whether there may be something in it; asking makes no file."""
        return bool(self.settings.url.get_secret_value()) or (self.root / FOLDER / FILE).exists()

    @property
    def database(self) -> "Database":
        """The database.

        Raises:
            StoreError: as `open_database`.
        """
        with self._lock:
            if not self._database:
                self._database = self.open()
            return self._database

    def open(self) -> "Database":
        """Open the database anew; errors as of `database`."""
        from pipeline.store.database import open_database  # noqa: PLC0415 - it loads SQLAlchemy

        return open_database(self.root, self.settings)

    @property
    def details(self) -> "DetailTable":
        """The details of the workspace; errors as of `database`."""
        from pipeline.store.details import DetailTable  # noqa: PLC0415 - it loads SQLAlchemy

        return DetailTable(self.database, self.settings.workspace)

    @property
    def conversations(self) -> "ConversationTable":
        """The conversations of the workspace; errors as of `database`."""
        from pipeline.store.conversations import ConversationTable  # noqa: PLC0415 - it loads SQLAlchemy

        return ConversationTable(self.database, self.settings.workspace)

    def probe(self, wait: float) -> None:
        """See whether the database answers within so many seconds; nothing of what is open here is used."""
        from pipeline.store.database import probe_database  # noqa: PLC0415 - it loads SQLAlchemy

        probe_database(self.root, self.settings, wait)

    def temporary_file(self) -> tempfile.SpooledTemporaryFile[bytes]:
        """A file without a name, for its owner alone, on the disk of the workspace when it grows.

        Raises:
            OSError: the folder cannot be made.
        """
        folder = self.root / FOLDER
        folder.mkdir(mode=0o700, exist_ok=True)
        return tempfile.SpooledTemporaryFile[bytes](_IN_MEMORY, dir=str(folder))

    def close(self) -> None:
        """Let go of all connections; the next use opens it again."""
        with self._lock:
            if self._database:
                self._database.close()
                self._database = None
