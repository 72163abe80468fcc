"""The ids of the sessions that entries cite, which no other kind of source may take."""

from collections.abc import Iterator
from contextlib import suppress

from pipeline.engine.context import Engine
from pipeline.errors import ReadFailed
from schemas.entry import Source


def reserve_cited(engine: Engine) -> None:
    """Give cited ids to the kinds of their entries, in a ledger that is new or of an earlier version.

    Comes before the look at the sources. Entries that the ledger knows word for word come first: any process may append
    others.
    """
    if engine.ledger.session_kinds.empty():
        ours = engine.ledger.changes.written()
        cited = list(_cited(engine))
        engine.catalog.reserve([source for block, source in cited if block in ours])
        engine.catalog.reserve([source for _, source in cited])


def _cited(engine: Engine) -> Iterator[tuple[tuple[str, str], Source]]:
    """The source of each entry, with the name and the digest of its block."""
    for family in (engine.family(job) for job in engine.jobs if job.writes.append):
        with suppress(ReadFailed):  # what stands there is reported where entries are read
            for file in family.files():
                yield from (((block.name, block.digest), entry.source) for block, entry in file.blocks if entry)
