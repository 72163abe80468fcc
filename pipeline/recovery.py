"""After a crash: what a run meant to write is completed, taken as written, or cleared. Nothing is written twice."""

from pipeline.errors import ChangedMeanwhile
from pipeline.ledger import Ledger
from pipeline.ledger.changes import Change, ChangeKind
from pipeline.markdown.blocks import find_blocks
from pipeline.workspace import Workspace

SHORTEST_TEAR = 2  # one line end alone may be anybody's


def recover(workspace: Workspace, ledger: Ledger) -> list[str]:
    """Settle every change that a crash left open; the paths that had to be mended.

    The caller holds the writers' lock.
    """
    mended = []
    for change in ledger.changes.intended():
        if change.kind is ChangeKind.APPEND and _mend_tear(workspace, change):
            mended.append(change.path)
        present = {block.name: block for block in find_blocks(workspace.read(change.path) or b"")}
        written = change.blocks()
        standing = [name for name in written if name in present and present[name].digest == written[name].digest]
        if standing:
            ledger.changes.settle(change, standing)
        else:
            ledger.changes.drop(change.number)
    return mended


def _mend_tear(workspace: Workspace, change: Change) -> bool:
    """Complete a torn tail, or take out a torn piece behind which somebody else wrote."""
    data = workspace.read(change.path)
    if data is None or change.after in data:
        return False
    written = _torn_length(data, change.after)
    if written:
        with workspace.lease(change.path) as lease:
            lease.append(change.after[written:])
        return True
    return _cut_out(workspace, change, data)


def _torn_length(data: bytes, after: bytes) -> int:
    """How much of `after` the file ends with."""
    return next((size for size in range(len(after) - 1, SHORTEST_TEAR - 1, -1) if data.endswith(after[:size])), 0)


def _cut_out(workspace: Workspace, change: Change, data: bytes) -> bool:
    """Remove the beginning of `after` from the middle of a file; it holds our id, so it is nobody else's text."""
    named = [block.name.encode() for block in find_blocks(change.after)]
    if not named or named[0] not in data:
        return False
    shortest = change.after.find(named[0]) + len(named[0])
    size = next((n for n in range(len(change.after) - 1, shortest - 1, -1) if change.after[:n] in data), 0)
    if not size:
        return False
    at = data.find(change.after[:size])
    try:
        with workspace.lease(change.path) as lease:
            lease.replace(data, data[:at] + data[at + size :])
    except ChangedMeanwhile:
        return _mend_tear(workspace, change)
    return True
