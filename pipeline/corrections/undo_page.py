"""Undo of one change of a rewritten page: new items go, and changed or dropped ones come back."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from pipeline.engine.append import ATTEMPTS
from pipeline.engine.context import Engine
from pipeline.engine.removed_items import items_of_page, notice_removals
from pipeline.engine.rewrite import put_page
from pipeline.errors import ChangedMeanwhile, PageEmptied, ReadFailed, WriteFailed
from pipeline.ledger.changes import BlockStanding, BlockState, Change, KnownBlock
from pipeline.markdown.blocks import Block, find_blocks
from pipeline.markdown.items import Item, render_page

Names = tuple[str, ...]


@dataclass(frozen=True)
class _Restored:
    """A page after an undo: `removed`, `restored` and `left` are names of items."""

    data: bytes
    removed: Names
    restored: Names
    left: Names


def take_back_page(engine: Engine, change: Change) -> tuple[Names, Names, Names]:
    """Undo a change; the names of the items removed, restored, and left because a person changed or deleted them."""
    for _ in range(ATTEMPTS):
        data = engine.workspace.read(change.path)
        if data is None and change.after.strip():
            # A person took the whole page away: the next run renders all of it anew.
            return (), (), tuple(change.identities)
        page = _restored(change, data or b"", items_of_page(engine, change.path))
        if not page.data.strip():
            # A later run cannot notice removals in a page that is gone. Many at once are an accident; they may return.
            with suppress(PageEmptied):
                notice_removals(engine, [change.path], engine.local_now().date())
        touched = {*page.removed, *page.restored}
        known = [standing for standing in engine.ledger.changes.in_file(change.path) if standing.block.name in touched]
        _note(engine, change, page)
        try:
            if page.data == (data or b"") or put_page(engine.workspace, change.path, data, page.data):
                return page.removed, page.restored, page.left
        except WriteFailed:
            know_as_before(engine, change.path, known)
            raise
        know_as_before(engine, change.path, known)
    raise ChangedMeanwhile(change.path)


def know_as_before(engine: Engine, path: str, known: Sequence[BlockStanding]) -> None:
    """Note the blocks of a file with their states before an undo that could not be written, where they still stand.

    Blocks that do not stand, or that cannot be read, are left to the next run.
    """
    with suppress(ReadFailed):
        present = {(block.name, block.digest) for block in find_blocks(engine.workspace.read(path) or b"")}
        stand = [standing for standing in known if (standing.block.name, standing.block.digest) in present]
        engine.ledger.changes.restore(stand)


def _restored(change: Change, data: bytes, ours: set[str]) -> _Restored:
    """The page without the change; the bytes before, when nothing was written since."""
    before, after, now = (_items(part) for part in (change.before or b"", change.after, data))
    untouched = {name for name, block in after.items() if name in now and now[name].digest == block.digest}
    gone_since = frozenset(after.keys() - now.keys())
    if data == change.after:
        page = change.before or b""
    else:
        wanted = [Item(name, block.text) for name, block in before.items() if block.intact]
        page = render_page(data, wanted, gone_since, ours)
    touched = {name for name in before.keys() | after.keys() if not _same(before.get(name), after.get(name))}
    return _Restored(
        data=page,
        removed=tuple(name for name in after if name in touched & untouched and name not in before),
        restored=tuple(name for name in before if name in touched and (name in untouched or name not in after)),
        left=tuple(name for name in after if name in touched - untouched),
    )


def _note(engine: Engine, change: Change, page: _Restored) -> None:
    """Note the states first: after a crash before the write, the items must not count as deleted by a person."""
    items = _items(page.data)
    with engine.ledger.store.transaction():
        for name in page.removed:
            engine.ledger.changes.set_state(change.path, name, BlockState.UNDONE)
        for name in page.restored:
            if name in items:
                block = KnownBlock(name, change.path, items[name].digest, "", change.run_id)
                engine.ledger.changes.know(block)


def _items(data: bytes) -> dict[str, Block]:
    return {block.name: block for block in find_blocks(data) if block.item}


def _same(one: Block | None, other: Block | None) -> bool:
    return one is not None and other is not None and one.digest == other.digest
