"""Taking back a change of a file that entries are appended to: its blocks go, or have their old text again."""

from collections.abc import Mapping

from pipeline.corrections.undo_page import know_as_before
from pipeline.engine.absence import put_ours
from pipeline.engine.append import ATTEMPTS
from pipeline.engine.context import Engine
from pipeline.errors import ChangedMeanwhile, PipelineError
from pipeline.ledger.changes import BlockState, Change, ChangeKind
from pipeline.markdown.blocks import Block, find_blocks
from pipeline.markdown.splice import remove_block, replace_block

Names = tuple[str, ...]


def take_back_blocks(engine: Engine, change: Change) -> tuple[Names, Names, Names]:
    """Take a change back; the names of the blocks removed, restored, and left as a person has changed them."""
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
                engine.ledger.changes.rewrite(change.path, name, _named(change.before or b"")[name].digest)
        try:
            _put(engine, change, data, after)
        except PipelineError as error:
            know_as_before(engine, change.path, known)
            if isinstance(error, ChangedMeanwhile):
                continue
            raise
        left = tuple(name for name in change.identities if name not in touched)
        return tuple(removed), tuple(restored), left
    raise ChangedMeanwhile(change.path)


def _put(engine: Engine, change: Change, data: bytes | None, after: bytes) -> None:
    if data is None or after == data:
        return
    left = None if change.kind is ChangeKind.CREATE and _only_ours(change, after) else after
    if not put_ours(engine.workspace, engine.ledger.changes, change.path, data, left):
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
    before = _named(change.before or b"")
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


def _named(data: bytes) -> dict[str, Block]:
    return {block.name: block for block in find_blocks(data)}


def _only_ours(change: Change, left: bytes) -> bool:
    """Whether nothing but the first lines that we made the file with are left."""
    start = min((block.start for block in find_blocks(change.after)), default=len(change.after))
    return left == b"" or left == change.after[:start].removesuffix(b"\n")
