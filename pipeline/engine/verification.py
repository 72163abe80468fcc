"""The trust in an entry: in all of it, in its quote, or in nothing. No other module decides it.

Any process may append to the files, so neither the form of a block nor its fields prove anything.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, partial

from pipeline.entries.provenance import identities_at, quoted_message
from pipeline.ledger.changes import BlockState, Changes
from pipeline.markdown.blocks import Block, digest
from pipeline.markdown.entries import parse_entry, render_entry
from pipeline.transcripts.catalog import Catalog
from schemas.entry import QUOTED_CONFIDENCE, Entry, Source, Status, Trust
from schemas.transcript import Message, Session


@dataclass(frozen=True)
class Written:
    """The evidence of the ledger: our blocks, by name and digest, and quotes of entries, by name and identity.

    The quotes are read when one is asked for, because most blocks are ours. People may move blocks from file to file.
    The speaker of a quote was checked when the entry was written, or when the ledger was rebuilt. An update with other
    rules for speakers takes nothing from it, nor does a change of the entry that leaves its quote.
    """

    blocks: AbstractSet[tuple[str, str]]
    quotes: Callable[[], Mapping[str, AbstractSet[str]]]
    original: Callable[[str], Entry | None]
    """The entry of a name as we wrote it, while it is to stand in a file."""


def as_written(blocks: Iterable[tuple[Block, Entry | None]], written: Written) -> frozenset[str]:
    """The names of the blocks that stand as we wrote them."""
    return frozenset(block.name for block, _ in blocks if (block.name, block.digest) in written.blocks)


_STATUS = re.compile(r"^- status:.*$", re.MULTILINE)


def written_blocks(changes: Changes, names: Collection[str] | None = None) -> Written:
    """The evidence of a ledger, about blocks of these names or about all."""
    return gather_evidence(changes, changes.own_digests(names), names)


def gather_evidence(
    changes: Changes, blocks: AbstractSet[tuple[str, str]], names: Collection[str] | None = None
) -> Written:
    """The evidence of a ledger about blocks of ours; of quotes, about those of these names or about all."""
    return Written(blocks, cache(lambda: changes.quoted_identities(names)), cache(partial(_original_text, changes)))


def _original_text(changes: Changes, name: str) -> Entry | None:
    known = [one.block for one in changes.standings_of([name]) if one.state is BlockState.LIVE and one.block.identity]
    written = (changes.as_written(block.path, name, block.digest) for block in known)
    return next((entry for block in written if block and (entry := parse_entry(block))), None)


def in_force(
    block: Block, entry: Entry | None, written: Written, catalog: Catalog, whole: Collection[str]
) -> Entry | None:
    """The entry of a block as it counts, whatever has become of its text in the file; `None` when it is none.

    Words of ours that somebody changed there hold until a person's word takes their place: any program may change a
    file. A person's status counts. Beside a block of ours that stands as we wrote it, which `whole` names, another one
    of its name is a copy, and gets nothing from it.
    """
    if entry is None:  # one without its end was torn by a crash, and is written again
        return written.original(block.name) if block.check and block.name not in whole else None
    ours = any((block.name, block_digest) in written.blocks for block_digest in _digests(block))
    original = None if ours or block.name in whole else written.original(block.name)
    if original:
        return original.model_copy(update={"status": entry.status})
    return believed_entry(block, entry, written, catalog)


def believed_entry(block: Block, entry: Entry, written: Written, catalog: Catalog) -> Entry:
    """The entry of a block with the trust that it deserves.

    An entry that is word for word ours stays as it is, also when a person has set its status, and as we wrote it where
    nothing but spaces and line ends are others, as an editor makes them. Another one whose quote
    stands at its source gets the date of the quoted message, and a confidence of at most `QUOTED_CONFIDENCE`; jobs see
    its `quote_alone`.
    """
    if any((block.name, block_digest) in written.blocks for block_digest in _digests(block)):
        return entry
    original = written.original(block.name)
    if original:
        ours = original.model_copy(update={"status": entry.status})
        if block.text.split() == render_entry(ours).rpartition("\n- check:")[0].split():
            return ours
    session = catalog.cited_session(entry.source)
    message = (_message_quoted_before(entry, session, written) or quoted_message(entry, session)) if session else None
    if message is None:
        return entry.as_unverified()
    sure = {"trust": Trust.QUOTED, "confidence": min((original or entry).confidence, QUOTED_CONFIDENCE)}
    return entry.model_copy(update=sure | {"date": message.time.astimezone(entry.date.tzinfo)})


def project_of(entry: Entry, said_in: Callable[[Source], str]) -> str:
    """The project in which a believed entry was said, by its name; empty where none is known.

    The name in the file counts where the entry is ours; else, and in those of earlier versions, its session tells it,
    which is asked by `said_in`.
    """
    if entry.trust is Trust.UNVERIFIED:
        return ""
    stated = entry.project if entry.trust is not Trust.QUOTED else ""
    return stated or said_in(entry.source)


def _message_quoted_before(entry: Entry, session: Session, written: Written) -> Message | None:
    """The quoted message of a known entry, when the quote stands at its known place."""
    known = written.quotes().get(entry.id)
    places = identities_at(entry, session) if known else ()
    return next((message for identity, message in places if known and identity in known), None)


def _digests(block: Block) -> Iterator[str]:
    """The digests of a block's text: as it is, then with any other status."""
    yield block.digest
    for status in Status:
        yield digest(_STATUS.sub(f"- status: {status.value}", block.text))
