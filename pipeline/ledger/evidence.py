"""Queries about all blocks and transcripts at once."""

import hashlib

from pipeline.ledger.changes import STANDING
from pipeline.ledger.store import Store

_BLOCKS = "SELECT group_concat(name || path || digest || identity || run || state, char(10)) FROM blocks"
_FILES = "SELECT group_concat(source || path || size || mtime_ns || session || left_out, char(10)) FROM files"
_PROJECTS = "SELECT count(*) FROM session_projects"

_STANDING = "FROM blocks WHERE state IN (?, ?)"


def evidence_digest(store: Store) -> str:
    """The hash of all known blocks and transcripts; it does not depend on the clock.

    Raises:
        LedgerDamaged: the file cannot be used.
        Held: another process keeps it too long.
    """
    known = f"{store.value(_BLOCKS)}\n{store.value(_FILES)}\n{store.value(_PROJECTS)}"
    return hashlib.sha256(known.encode(errors="replace")).hexdigest()


def written_paths(store: Store) -> list[str]:
    """The files that we have written blocks into, sorted.

    Raises:
        LedgerDamaged: the file cannot be used.
        Held: another process keeps it too long.
    """
    return store.column("SELECT DISTINCT path FROM blocks ORDER BY path")


def standing_blocks(store: Store) -> frozenset[tuple[str, str]]:
    """The names and the digests of the blocks that should be in the files.

    Raises:
        LedgerDamaged: the file cannot be used.
        Held: another process keeps it too long.
    """
    return frozenset(map(tuple, store.rows(f"SELECT name, digest {_STANDING}", STANDING)))


def run_of_block(store: Store, name: str) -> str:
    """The run that wrote the block of this name that should be in a file; empty without such a block.

    Raises:
        LedgerDamaged: the file cannot be used.
        Held: another process keeps it too long.
    """
    query = f"SELECT run {_STANDING} AND name = ? ORDER BY rowid DESC"
    return str(store.value(query, (*STANDING, name)) or "")
