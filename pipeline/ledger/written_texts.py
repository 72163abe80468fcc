"""The texts that agents wrote, as the calls of tools in their transcripts show."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from pipeline.ledger.store import LedgerTable


class WrittenTexts(LedgerTable):
    """The table of the texts that sessions wrote, by digests of their real paths. A row stays when its file is gone."""

    def note(self, session: str, files: Iterable[Path]) -> None:
        """Note all texts that a session wrote. The caller holds a transaction."""
        self._store.write("DELETE FROM written_texts WHERE session = ?", (session,))
        for file in set(map(_digest, files)):
            self._store.write("INSERT INTO written_texts VALUES (?, ?)", (file, session))

    def has(self, file: Path) -> bool:
        """Whether a session wrote a file, given by its real path."""
        return bool(self._store.rows("SELECT 1 FROM written_texts WHERE file = ? LIMIT 1", (_digest(file),)))


def _digest(file: Path) -> str:
    return hashlib.sha256(str(file).encode(errors="surrogatepass")).hexdigest()[:32]
