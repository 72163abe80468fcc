"""Files that are gone and whose very names are to be forgotten."""

from collections.abc import Iterable

from pipeline.ledger import Ledger


def erase_files(ledger: Ledger, paths: Iterable[str]) -> None:
    """Drop files with all that was written into them. The caller holds a transaction.

    Raises:
        LedgerDamaged: the ledger cannot be used.
        WriteFailed: the system refuses.
    """
    for path in paths:
        ledger.store.write("DELETE FROM changes WHERE path = ?", (path,))
        ledger.store.write("DELETE FROM blocks WHERE path = ?", (path,))
    ledger.changes.held.drop()
