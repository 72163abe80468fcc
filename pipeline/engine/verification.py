"""What is believed of an entry: all of it, its quote, or nothing. This is decided here and nowhere else.

Any process may append to the files, so neither the form of a block nor what it says of itself proves anything.
"""

import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from pipeline.entries.provenance import identities_at, quoted_message
from pipeline.ledger.changes import Changes
from pipeline.markdown.blocks import Block, digest
from pipeline.transcripts.catalog import Catalog
from schemas.entry import QUOTED_CONFIDENCE, Entry, Status, Trust
from schemas.transcript import Message, Session


@dataclass(frozen=True)
class Written:
    """What the ledger knows: our blocks, by name and digest, and what entries quote, by name and identity.

    People may move blocks from file to file. Whose words an entry quotes was asked when it was written, or found by a
    ledger that was made again. An update that tells words apart in another way takes nothing from it, also when
    somebody has changed the entry since and left its quote.
    """

    blocks: AbstractSet[tuple[str, str]] = frozenset()
    quotes: Mapping[str, AbstractSet[str]] = field(default_factory=dict)


_STATUS = re.compile(r"^- status:.*$", re.MULTILINE)


def written_blocks(changes: Changes) -> Written:
    """What the ledger knows to be ours."""
    return Written(changes.written(), changes.quoted())


def believed(block: Block, entry: Entry, written: Written, catalog: Catalog) -> Entry:
    """The entry of a block with the trust that it deserves.

    One that is word for word ours stays as it is, also when a person has set its status. Of another whose quote is
    said at its source the date is that of the quoted message, and the confidence at most `QUOTED_CONFIDENCE`. Whoever
    shows such an entry to a job shows its `quote_alone`.
    """
    if any((block.name, block_digest) in written.blocks for block_digest in _digests(block)):
        return entry
    session = catalog.session(entry.source.session_id)
    message = (_quoted_before(entry, session, written) or quoted_message(entry, session)) if session else None
    if message is None:
        return entry.unverified()
    sure = {"trust": Trust.QUOTED, "confidence": min(entry.confidence, QUOTED_CONFIDENCE)}
    return entry.model_copy(update=sure | {"date": message.time.astimezone(entry.date.tzinfo)})


def _quoted_before(entry: Entry, session: Session, written: Written) -> Message | None:
    """The message of an entry that the ledger knows, when its quote stands where it stood then."""
    known = written.quotes.get(entry.id)
    places = identities_at(entry, session) if known else ()
    return next((message for identity, message in places if known and identity in known), None)


def _digests(block: Block) -> Iterator[str]:
    """The digest of a block's text, then those that it has with any other status."""
    yield block.digest
    for status in Status:
        yield digest(_STATUS.sub(f"- status: {status.value}", block.text))
