"""The files of agents after a change of `agents.root`: the ledger follows them to where a person has moved them."""

from collections.abc import Collection, Iterator

from pipeline.ledger import Ledger
from pipeline.markdown.blocks import find_blocks
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import AGENTS

_PATHS = (("blocks", "path"), ("changes", "path"), ("inputs", "name"))
"""The columns with paths of files."""


def follow_agents(ledger: Ledger, workspace: Workspace, root: str, names: Collection[str]) -> str:
    """Note the paths under `root` of what the ledger knows under another folder, unless it is still there.

    `names` are the agents. The answer is a file of theirs that is still there, and empty when there is none.

    Raises:
        LedgerDamaged: the ledger cannot be used.
        WriteFailed: the system refuses.
    """
    known_below = "SELECT 1 FROM blocks WHERE path >= ? AND path < ? LIMIT 1"
    away = [name for name in names if not ledger.store.value(known_below, _span(f"{root}/{name}/memory/"))]
    known = [path for name in away for path in _elsewhere(ledger, name)]
    unknown = [path for name in away if root != AGENTS for path in _without_ledger(workspace, name)]
    if left := next((path for path in (*known, *unknown) if workspace.stands(path)), ""):
        return left
    for old in sorted({path[: path.index(f"/{name}/memory/")] for name in away for path in _elsewhere(ledger, name)}):
        _move(ledger, old, root)
    return ""


def _elsewhere(ledger: Ledger, name: str) -> list[str]:
    query = "SELECT DISTINCT path FROM blocks WHERE instr(path, ?) > 0 ORDER BY path"
    return ledger.store.column(query, (f"/{name}/memory/",))


def _without_ledger(workspace: Workspace, name: str) -> Iterator[str]:
    """The journals with lines of ours in the usual folder, which a ledger that was lost does not know."""
    for path in workspace.select(f"{AGENTS}/{name}/memory/journal/*.md"):
        if any(block.item and block.intact for block in find_blocks(workspace.read(path) or b"")):
            yield path


def _move(ledger: Ledger, old: str, new: str) -> None:
    """Put one folder in place of another in all paths."""
    begin, inside = _span(f"{old}/"), _span(f"{new}/")
    with ledger.store.transaction():
        for table, column in _PATHS:
            ledger.store.write(
                f"UPDATE OR REPLACE {table} SET {column} = ? || substr({column}, ?) "  # noqa: S608 - fixed texts
                f"WHERE {column} >= ? AND {column} < ? AND NOT ({column} >= ? AND {column} < ?)",
                (new, len(old) + 1, *begin, *inside),
            )
    ledger.changes.held.drop()


def _span(begin: str) -> tuple[str, str]:
    """The first text that begins so, and the first behind all of these."""
    return begin, begin[:-1] + chr(ord(begin[-1]) + 1)
