"""Items that people took out of rewritten pages: they stay out of the page, and nothing else follows from it.

They are listed in `memory/forgotten.md` as `path#name`; who removes the line allows the item to come back.
"""

from collections.abc import Sequence
from datetime import date

from pipeline.deletions import refuse_many, retire
from pipeline.engine import Engine
from pipeline.events import Event
from pipeline.forgotten import read_forgotten
from pipeline.markdown.blocks import find_blocks


def notice_removals(engine: Engine, paths: Sequence[str], day: date) -> list[str]:
    """Note the items of ours that a person took out of these pages; `path#name` of each.

    A page that is gone as a whole has lost nothing: it is rendered anew. The caller holds the locks of its writers.

    Raises:
        EntriesVanished: so many are gone that it looks like an accident.
        Held: somebody else holds the lock of `memory/forgotten.md`.
    """
    noticed = []
    for path in paths:
        data = engine.workspace.read(path)
        known = engine.ledger.changes.standing_in(path) if data else []
        present = {block.name for block in find_blocks(data or b"")}
        gone = [block for block in known if block.name not in present]
        refuse_many(engine, len(gone), len(known))
        if gone:
            retire(engine, gone, day, by_path=True)
        for block in gone:
            engine.emit(Event.REMOVED_BY_PERSON, item=block.name, path=path)
        noticed += [f"{path}#{block.name}" for block in gone]
    return noticed


def removed_items(engine: Engine, path: str) -> frozenset[str]:
    """The names of the items that are to stay out of a page."""
    listed = (gone.entry_id.partition("#") for gone in read_forgotten(engine.workspace))
    return frozenset(name for of, mark, name in listed if mark and of == path)
