"""What is believed of an entry: all of it, its quote, or nothing. This is decided here and nowhere else.

Any process may append to the files, so neither the form of a block nor what it says of itself proves anything.
"""

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from pipeline.catalog import Catalog
from pipeline.ledger.changes import Changes
from pipeline.markdown.blocks import Block, digest
from pipeline.provenance import quoted_message
from schemas.entry import QUOTED_CONFIDENCE, Entry, Status, Trust

Written = AbstractSet[tuple[str, str]]
"""The blocks that we wrote, by name and digest; people may move them from file to file."""

_STATUS = re.compile(r"^- status:.*$", re.MULTILINE)


def written_blocks(changes: Changes) -> Written:
    """What the ledger knows to be ours."""
    return changes.written()


def believed(block: Block, entry: Entry, written: Written, catalog: Catalog) -> Entry:
    """The entry of a block with the trust that it deserves.

    One that is word for word ours stays as it is, also when a person has set its status. Of another whose quote stands
    in its source the date is that of the quoted message, and the confidence at most `QUOTED_CONFIDENCE`. Whoever shows
    such an entry to a job shows its `quote_alone`.
    """
    if any((block.name, each) in written for each in _digests(block)):
        return entry
    session = catalog.session(entry.source.session_id)
    message = quoted_message(entry, session) if session else None
    if message is None:
        return entry.unverified()
    sure = {"trust": Trust.QUOTED, "confidence": min(entry.confidence, QUOTED_CONFIDENCE)}
    return entry.model_copy(update=sure | {"date": message.time.astimezone(entry.date.tzinfo)})


def _digests(block: Block) -> Iterator[str]:
    """The digest of a block's text, then those that it has with any other status."""
    yield block.digest
    for status in Status:
        yield digest(_STATUS.sub(f"- status: {status.value}", block.text))
