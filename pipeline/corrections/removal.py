"""Entries that a person declines: their blocks leave the files, and an undo puts them back."""

from collections.abc import Collection

from pipeline.corrections.undo_blocks import Names
from pipeline.engine.absence import put_ours
from pipeline.engine.append import ATTEMPTS
from pipeline.engine.context import Engine
from pipeline.engine.deleted_entries import bring_back
from pipeline.engine.recovery import intended
from pipeline.errors import ChangedMeanwhile
from pipeline.ledger.changes import STANDING, Change, ChangeKind
from pipeline.markdown.blocks import block_names, find_blocks
from pipeline.markdown.splice import appendix, newline_of, remove_block


def take_out(engine: Engine, run_id: str, names: Collection[str]) -> list[str]:
    """Take blocks out of their files, where they are as the ledger knows them; the paths that changed."""
    known = [one.block for one in engine.ledger.changes.named(names) if one.state in STANDING]
    paths = dict.fromkeys(block.path for block in known)
    return [path for path in paths if _take_out_of(engine, run_id, path, names)]


def _take_out_of(engine: Engine, run_id: str, path: str, names: Collection[str]) -> bool:
    changes = engine.ledger.changes
    for _ in range(ATTEMPTS):
        data = engine.workspace.read(path) or b""
        known = {one.block.name: one for one in changes.expected_in(path) if one.block.name in names}
        rest, gone = data, []
        for block in reversed(find_blocks(data)):
            if block.intact and block.name in known and known[block.name].block.digest == block.digest:
                rest = remove_block(rest, block)
                gone.append(known[block.name])
        if not gone:
            return False
        identities = {one.block.name: one.block.identity for one in gone}
        replaced = Change(run_id, path, ChangeKind.REPLACE, rest, identities, before=data)
        with intended(engine.workspace, engine.ledger, replaced, gone) as change:
            if put_ours(engine.workspace, changes, path, data, rest):
                changes.settle(change, ())
                return True
            changes.drop(change.number)
            changes.restore(gone)
    raise ChangedMeanwhile(path)


def put_back(engine: Engine, change: Change) -> tuple[Names, Names, Names]:
    """Put the blocks back that a change took out of its file; the names of those removed, restored, and left.

    They stand where they stood, or at the end when the file has changed since. One whose run was undone stays away.
    """
    undone = _of_undone_runs(engine, change)
    for _ in range(ATTEMPTS):
        data = engine.workspace.read(change.path)
        whole, back = _with_blocks(change, data, undone)
        if not back or put_ours(engine.workspace, engine.ledger.changes, change.path, data, whole):
            known = [one for one in engine.ledger.changes.in_file(change.path) if one.block.name in back]
            bring_back(engine, {one: back[one.block.name] for one in known})
            return (), tuple(back), tuple(name for name in change.identities if name not in back)
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


def _of_undone_runs(engine: Engine, change: Change) -> set[str]:
    """The names of the blocks of a change whose own runs were undone since."""
    known = (one.block for one in engine.ledger.changes.in_file(change.path) if one.block.name in change.identities)
    runs = {block.name: engine.ledger.runs.find(block.run_id) for block in known}
    return {name for name, run in runs.items() if run and run.undone}
