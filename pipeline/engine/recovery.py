"""The recovery of intended changes: after a crash a change is completed, settled as written, or dropped.

Nothing is written twice. A write that the system refuses is no crash: its change is dropped at once.
"""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from pipeline.errors import ChangedMeanwhile, Held, ReadFailed, WriteFailed
from pipeline.ledger import Ledger
from pipeline.ledger.changes import BlockStanding, BlockState, Change, ChangeKind, Changes
from pipeline.markdown.blocks import block_names, find_blocks
from pipeline.workspace.files import Workspace


def recover(workspace: Workspace, ledger: Ledger, owns: Callable[[str], bool]) -> list[str]:
    """Settle or drop every open change of the files that `owns` accepts; the paths that had to be mended.

    The caller holds the lock of the only writer of these files; changes of other files may be under way.
    """
    mended = []
    for change in ledger.changes.intended_changes():
        if not owns(change.path):
            continue
        if change.kind is not ChangeKind.REPLACE and _mend_tear(workspace, change):
            mended.append(change.path)
        data = workspace.read(change.path) or b""
        standing = _blocks_of_change(change, data)
        if standing or data == change.after:
            ledger.changes.settle(change, [*standing, *_names_taken_out(change, data, standing)])
        else:
            ledger.changes.restore(_blocks_still_there(ledger.changes, change, data))
            ledger.changes.drop(change.number)
    return mended


@contextmanager
def intend_change(
    workspace: Workspace, ledger: Ledger, change: Change, dropped: Sequence[BlockStanding] = ()
) -> Iterator[Change]:
    """The change with its number, noted before it is made; the body makes it, and settles or drops it.

    The blocks that it `dropped` are noted in the same transaction: after a crash they must not count as deleted by a
    person, nor as taken out by us where the change was not made.

    When the system refuses the write and nothing of it stands in the file, the change is dropped, and the blocks that
    it `dropped` are known again, so that `memory doctor` reports a torn write only where one may be. A change that
    stands in part, or whose file cannot be read, is left to the next run.

    Raises:
        WriteFailed: the system refuses.
    """
    with ledger.store.transaction():
        for standing in dropped:
            ledger.changes.set_state(change.path, standing.block.name, BlockState.DROPPED)
        noted = ledger.changes.intend(change)
    try:
        yield noted
    except WriteFailed:
        # Where there is no room for a page there may be none for the ledger; the next run clears it then.
        with suppress(ReadFailed, WriteFailed, Held):
            data = workspace.read(change.path) or b""
            torn = change.kind is not ChangeKind.REPLACE and _torn_text(change, data)
            if not (torn or data == change.after or _blocks_of_change(change, data)):
                ledger.changes.drop(noted.number)
                ledger.changes.restore(dropped)
        raise


def _blocks_still_there(changes: Changes, change: Change, data: bytes) -> list[BlockStanding]:
    """The blocks that a change was to take out and did not: they stand in the file as they did."""
    present = {(block.name, block.digest) for block in find_blocks(data)}
    meant = block_names(change.before) - block_names(change.after)
    return [
        BlockStanding(
            standing.block,
            BlockState.LIVE
            if changes.as_written(change.path, standing.block.name, standing.block.digest)
            else BlockState.RECOVERED,
        )
        for standing in changes.in_file(change.path)
        if standing.state is BlockState.DROPPED
        and standing.block.name in meant
        and (standing.block.name, standing.block.digest) in present
    ]


def _blocks_of_change(change: Change, data: bytes) -> list[str]:
    """The names of the blocks that the change put into the file; a person may have edited them already."""
    present = {block.name: block for block in find_blocks(data)}
    return [
        name
        for name, written in change.blocks().items()
        if name in present and (change.kind is not ChangeKind.REPLACE or present[name].digest == written.digest)
    ]


def _names_taken_out(change: Change, data: bytes, standing: Sequence[str]) -> list[str]:
    """The names of the blocks that the change put into the file and a person has taken out since.

    A rewrite is whole. An append may be torn, but only behind the blocks that stand.
    """
    names = list(change.blocks()) if standing else []
    if names and change.kind is not ChangeKind.REPLACE:
        names = names[: names.index(standing[-1])]
    present = block_names(data)
    return [name for name in names if name not in present]


def _mend_tear(workspace: Workspace, change: Change) -> bool:
    """Complete a torn tail, or take out a torn piece with other text behind it."""
    data = workspace.read(change.path)
    torn = _torn_text(change, data) if data else None
    if data is None or torn is None:
        return False
    start, end = torn
    with workspace.lease(change.path) as lease:
        if end == len(data):
            lease.append(change.after[end - start :])
            return True
        piece = data[start:end]
        whole = [block.end for block in find_blocks(piece) if block.intact and piece[: block.end].endswith(b"\n")]
        try:
            lease.replace(data, data[: start + max(whole, default=0)] + data[end:])
        except ChangedMeanwhile:
            return _mend_tear(workspace, change)
    return True


def _torn_text(change: Change, data: bytes) -> tuple[int, int] | None:
    """The start and end of an append that broke off; `None` when it stands whole, or not at all.

    A piece counts as ours when it stands where the append began, or holds the id of our first block.
    """
    if change.size < len(data) < change.size + len(change.after) and change.after.startswith(data[change.size :]):
        return change.size, len(data)
    last_line = re.escape(change.after.rstrip().rsplit(b"\n", 1)[-1])
    if re.search(last_line + rb"(\r?\n|\Z)", data):  # whole, though a person may have edited it since
        return None
    blocks = find_blocks(change.after)
    marked = change.after.find(b"- id: " + blocks[0].name.encode()) if blocks else -1
    surest = change.after[: change.after.find(b"\n", marked)]
    start = data.rfind(surest) if marked >= 0 else -1
    # The bytes with which both begin.
    same = os.path.commonprefix([change.after, data[start:]])  # noqa: RUF071 - characters are meant
    return (start, start + len(same)) if start >= 0 else None
