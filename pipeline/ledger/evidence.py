"""All that the ledger knows of blocks and of transcripts in short texts, to see whether any of it has changed."""

import hashlib

from pipeline.ledger.store import Store

_BLOCKS = "SELECT group_concat(name || path || digest || identity || run || state, char(10)) FROM blocks"
_FILES = "SELECT group_concat(source || path || size || mtime_ns || session || left_out, char(10)) FROM files"


def evidence_digest(store: Store) -> str:
    """Another text whenever a block or a transcript is known otherwise; no clock takes part in it.

    Raises:
        LedgerDamaged: the file cannot be used.
        Held: another process keeps it too long.
    """
    known = f"{store.value(_BLOCKS)}\n{store.value(_FILES)}"
    return hashlib.sha256(known.encode(errors="replace")).hexdigest()


def written_paths(store: Store) -> list[str]:
    """The files that we have written blocks into, sorted.

    Raises:
        LedgerDamaged: the file cannot be used.
        Held: another process keeps it too long.
    """
    return store.column("SELECT DISTINCT path FROM blocks ORDER BY path")
