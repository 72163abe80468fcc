"""The words of an entry before and after its corrections, in the files and in the ledger."""

from collections.abc import Iterator

from pipeline.engine.context import Engine
from pipeline.markdown.entries import parse_entry
from pipeline.reports.entries import folded, list_entries
from schemas.entry import Entry


def other_words(engine: Engine, entry_id: str) -> list[Entry]:
    """What an entry corrects, and all that corrects it, also corrections that were taken back, the last ones first.

    What corrects it may be anybody's: it says that it is about the entry. What it corrects is known of ours alone.
    """
    places = list_entries(engine)
    known = {entry.id: entry for entry in _written(engine, entry_id)} | {
        place.entry.id: place.entry for place in places
    }
    chain = dict.fromkeys(folded(places).chain(entry_id))
    while later := [entry.id for entry in known.values() if entry.corrects in chain and entry.id not in chain]:
        chain |= dict.fromkeys(later)
    return [known[name] for name in reversed(chain) if name != entry_id and name in known]


def _written(engine: Engine, entry_id: str) -> Iterator[Entry]:
    """The entries that the ledger has, in any state, of the files that hold an entry."""
    changes = engine.ledger.changes
    for path in dict.fromkeys(one.block.path for one in changes.named([entry_id])):
        for block in (one.block for one in changes.in_file(path)):
            written = changes.as_written(path, block.name, block.digest)
            entry = parse_entry(written) if written and not written.item else None
            if entry:
                yield entry
