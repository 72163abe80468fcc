"""Which entries can be trusted: those whose text the ledger wrote, or whose quote stands in its source.

Whatever else is in a file, another process may have put there: it is shown, marked, and has no say.
"""

from collections.abc import Set as AbstractSet

from pipeline.catalog import Catalog
from pipeline.ledger.changes import Changes
from pipeline.markdown.blocks import Block
from pipeline.provenance import verifies
from schemas.entry import Entry, Trust

Written = AbstractSet[tuple[str, str]]
"""The blocks that we wrote, by name and digest; people may move them from file to file."""


def written_blocks(changes: Changes) -> Written:
    """What the ledger knows to be ours."""
    return changes.written()


def is_verified(block: Block, entry: Entry, written: Written, catalog: Catalog) -> bool:
    """Whether an entry's text is what we wrote, or else its quote stands at its span in its source."""
    if (block.name, block.digest) in written:
        return True
    session = catalog.session(entry.source.session_id)
    return session is not None and verifies(entry, session)


def trusted(entry: Entry, *, verified: bool) -> Entry:
    """The entry with the trust it deserves."""
    return entry if verified else entry.model_copy(update={"trust": Trust.UNVERIFIED})
