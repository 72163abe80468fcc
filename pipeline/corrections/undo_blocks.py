"""Taking back a change of a file that entries are appended to: its blocks go, or have their old text again."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

from pipeline.engine.absence import put_ours
from pipeline.engine.append import ATTEMPTS
from pipeline.engine.context import Engine
from pipeline.engine.deletions import bring_back, items_of_page, notice_removals
from pipeline.engine.recovery import intend_change
from pipeline.engine.rewrite import put_page
from pipeline.errors import ChangedMeanwhile, PageEmptied, PipelineError, ReadFailed, WriteFailed
from pipeline.ledger.changes import STANDING, BlockStanding, BlockState, Change, ChangeKind, KnownBlock
from pipeline.markdown.blocks import Block, block_names, find_blocks
from pipeline.markdown.items import Item, render_page
from pipeline.markdown.splice import appendix, newline_of, remove_block, replace_block


@dataclass(frozen=True)
class Receipt:
    """The names of the blocks, items or pieces that an undo removed, restored, and left as a person changed them."""

    removed: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    left: tuple[str, ...] = ()

    def __add__(self, other: Self) -> "Receipt":
        """The receipt of both, this one first."""
        return Receipt(self.removed + other.removed, self.restored + other.restored, self.left + other.left)


def take_back_page(engine: Engine, change: Change) -> Receipt:
    """Undo a change of a rewritten page; an item that a person changed or deleted is left."""
    for _ in range(ATTEMPTS):
        data = engine.workspace.read(change.path)
        if data is None and change.after.strip():
            # A person took the whole page away: the next run renders all of it anew.
            return Receipt(left=tuple(change.identities))
        after, receipt = _restore_page(change, data or b"", items_of_page(engine, change.path))
        if not after.strip():
            # A later run cannot notice removals in a page that is gone. Many at once are an accident; they may return.
            with suppress(PageEmptied):
                notice_removals(engine, [change.path], engine.local_now().date())
        touched = {*receipt.removed, *receipt.restored}
        known = [standing for standing in engine.ledger.changes.in_file(change.path) if standing.block.name in touched]
        # Before the write: after a crash between them, the items must not count as deleted by a person.
        items = _items(after)
        with engine.ledger.store.transaction():
            for name in receipt.removed:
                engine.ledger.changes.set_state(change.path, name, BlockState.UNDONE)
            for name in receipt.restored:
                if name in items:
                    block = KnownBlock(name, change.path, items[name].digest, "", change.run_id)
                    engine.ledger.changes.know(block)
        try:
            if after == (data or b"") or put_page(engine.workspace, change.path, data, after):
                return receipt
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


def _restore_page(change: Change, data: bytes, ours: set[str]) -> tuple[bytes, Receipt]:
    """The page without the change; the bytes before, when nothing was written since."""
    before, after, now = (_items(part) for part in (change.before or b"", change.after, data))
    untouched = {name for name, block in after.items() if name in now and now[name].digest == block.digest}
    gone_since = frozenset(after.keys() - now.keys())
    if data == change.after:
        page = change.before or b""
    else:
        wanted = [Item(name, block.text) for name, block in before.items() if block.intact]
        page = render_page(data, wanted, gone_since, ours)
    digests = [{(name, block.digest) for name, block in blocks.items()} for blocks in (before, after)]
    touched = {name for name, _ in digests[0] ^ digests[1]}
    return page, Receipt(
        removed=tuple(name for name in after if name in touched & untouched and name not in before),
        restored=tuple(name for name in before if name in touched and (name in untouched or name not in after)),
        left=tuple(name for name in after if name in touched - untouched),
    )


def _items(data: bytes) -> dict[str, Block]:
    return {block.name: block for block in find_blocks(data) if block.item}


def take_back_blocks(engine: Engine, change: Change) -> Receipt:
    """Undo a change of a file that entries are appended to; a block that a person changed is left."""
    for _ in range(ATTEMPTS):
        data = engine.workspace.read(change.path)
        after, removed, restored = _without(change, data or b"", _digests(engine, change))
        touched = {*removed, *restored}
        known = [standing for standing in engine.ledger.changes.in_file(change.path) if standing.block.name in touched]
        # First the ledger: after a crash between the two, the entries must not count as deleted by a person.
        with engine.ledger.store.transaction():
            for name in removed:
                engine.ledger.changes.set_state(change.path, name, BlockState.UNDONE)
            for name in restored:
                engine.ledger.changes.rewrite(change.path, name, _blocks_by_name(change.before or b"")[name].digest)
        whole = None if change.kind is ChangeKind.CREATE and _only_ours(change, after) else after
        is_same = data is None or after == data
        try:
            if is_same or put_ours(engine.workspace, engine.ledger.changes, change.path, data, whole):
                left = tuple(name for name in change.identities if name not in touched)
                return Receipt(tuple(removed), tuple(restored), left)
        except PipelineError:
            know_as_before(engine, change.path, known)
            raise
        know_as_before(engine, change.path, known)
    raise ChangedMeanwhile(change.path)


def _digests(engine: Engine, change: Change) -> dict[str, set[str]]:
    """The texts of the change's blocks that are ours: as written, and as a later run rewrote their status."""
    ours = {name: {block.digest} for name, block in change.blocks().items()}
    for block in engine.ledger.changes.standing_in(change.path) if change.kind is not ChangeKind.REPLACE else ():
        if block.name in ours:
            ours[block.name].add(block.digest)
    return ours


def _without(change: Change, data: bytes, ours: Mapping[str, set[str]]) -> tuple[bytes, list[str], list[str]]:
    """The file without the change, and the names of the blocks removed and restored."""
    before = _blocks_by_name(change.before or b"")
    removed, restored = [], []
    for block in reversed(find_blocks(data)):
        if not block.intact or block.digest not in ours.get(block.name, ()):
            continue
        if old := before.get(block.name):
            data = replace_block(data, block, (change.before or b"")[old.start : old.end].decode())
            restored.append(block.name)
        else:
            data = remove_block(data, block)
            removed.append(block.name)
    return data, removed[::-1], restored[::-1]


def _blocks_by_name(data: bytes) -> dict[str, Block]:
    return {block.name: block for block in find_blocks(data)}


def _only_ours(change: Change, left: bytes) -> bool:
    """Whether nothing but the first lines that we made the file with are left."""
    start = min((block.start for block in find_blocks(change.after)), default=len(change.after))
    return left == b"" or left == change.after[:start].removesuffix(b"\n")


def take_out(engine: Engine, run_id: str, names: Collection[str]) -> list[str]:
    """Take blocks out of their files, where they are as the ledger knows them; the paths that changed."""
    known = [standing.block for standing in engine.ledger.changes.standings_of(names) if standing.state in STANDING]
    paths = dict.fromkeys(block.path for block in known)
    return [path for path in paths if _take_out_of(engine, run_id, path, names)]


def _take_out_of(engine: Engine, run_id: str, path: str, names: Collection[str]) -> bool:
    changes = engine.ledger.changes
    for _ in range(ATTEMPTS):
        data = engine.workspace.read(path) or b""
        known = {
            standing.block.name: standing for standing in changes.expected_in(path) if standing.block.name in names
        }
        rest, gone = data, []
        for block in reversed(find_blocks(data)):
            if block.intact and block.name in known and known[block.name].block.digest == block.digest:
                rest = remove_block(rest, block)
                gone.append(known[block.name])
        if not gone:
            return False
        identities = {standing.block.name: standing.block.identity for standing in gone}
        replaced = Change(run_id, path, ChangeKind.REPLACE, rest, identities, before=data)
        with intend_change(engine.workspace, engine.ledger, replaced, gone) as change:
            if put_ours(engine.workspace, changes, path, data, rest):
                changes.settle(change, ())
                return True
            changes.drop(change.number)
            changes.restore(gone)
    raise ChangedMeanwhile(path)


def put_back(engine: Engine, change: Change) -> Receipt:
    """Put the blocks back that a change took out of its file.

    They stand where they stood, or at the end when the file has changed since. One whose run was undone stays away.
    """
    named = (one.block for one in engine.ledger.changes.in_file(change.path) if one.block.name in change.identities)
    runs = {block.name: engine.ledger.runs.find(block.run_id) for block in named}
    undone = {name for name, run in runs.items() if run and run.undone}
    for _ in range(ATTEMPTS):
        data = engine.workspace.read(change.path)
        whole, back = _with_blocks(change, data, undone)
        if not back or put_ours(engine.workspace, engine.ledger.changes, change.path, data, whole):
            known = [standing for standing in engine.ledger.changes.in_file(change.path) if standing.block.name in back]
            bring_back(engine, {standing: back[standing.block.name] for standing in known})
            left = tuple(name for name in change.identities if name not in back)
            return Receipt(restored=tuple(back), left=left)
    raise ChangedMeanwhile(change.path)


def _with_blocks(change: Change, data: bytes | None, but: Collection[str]) -> tuple[bytes, dict[str, str]]:
    """The file with the blocks that a change took out, but for some; and the digests of those put back, by name."""
    before, rest, here = change.before or b"", data or b"", block_names(data)
    wanted = change.identities.keys() - set(but) - here
    away = [block for block in find_blocks(before) if block.name in wanted]
    texts = [before[block.start : block.end].decode().replace("\r\n", "\n") for block in away]
    as_before = data == change.after and len(away) == len(change.identities)
    whole = before if as_before else rest + appendix(texts, newline_of(rest))
    return whole, {block.name: block.digest for block in away}
