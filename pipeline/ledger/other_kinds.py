"""Sessions of other kinds below the folders of sources, as of the last look around."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.ledger.store import LedgerTable


@dataclass(frozen=True)
class OtherKind:
    """Files below the folder of a source that hold sessions of another `kind`, which no setting names.

    `path` is the newest file with a session, relative to the folder; so many `files` have a name of that kind and are
    read by no source.
    """

    source: str
    kind: str
    path: str
    files: int


class OtherKinds(LedgerTable):
    """The table of such files. Nothing is written without a change: every writer waits for the others."""

    def of(self, source: str) -> list[OtherKind]:
        """Those below the folder of a source, by kind."""
        rows = self._store.rows("SELECT * FROM other_kinds WHERE source = ? ORDER BY kind", (source,))
        return [OtherKind(row["source"], row["kind"], row["path"], row["files"]) for row in rows]

    def note(self, source: str, others: Sequence[OtherKind]) -> None:
        """Note those of a source, in the order of their kinds, in place of those known."""
        if self.of(source) == list(others):
            return
        with self._store.transaction():
            self._store.write("DELETE FROM other_kinds WHERE source = ?", (source,))
            for other in others:
                values = (other.source, other.kind, other.path, other.files)
                self._store.write("INSERT INTO other_kinds VALUES (?, ?, ?, ?)", values)
