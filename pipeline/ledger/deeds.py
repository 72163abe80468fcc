"""A digest of all that runs and persons have brought about."""

import hashlib

from pipeline.ledger.store import Store

_TABLES = ("runs", "coverage", "keyed", "changes", "blocks", "suggestions", "requests", "entry_proposals", "answers")


def deeds_digest(store: Store) -> str:
    """The hash of all that runs and persons have brought about; what a look at the transcripts notes is none of it.

    Raises:
        LedgerDamaged: the file cannot be used.
        Held: another process keeps it too long.
    """
    digest = hashlib.sha256()
    for table in _TABLES:
        for row in store.rows(f"SELECT * FROM {table} ORDER BY rowid"):  # noqa: S608 - of the list above
            digest.update(repr(tuple(row)).encode(errors="replace"))
    return digest.hexdigest()
