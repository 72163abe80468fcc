"""The files of agents after a change of `agents.root`: the ledger follows them to their new folder."""

from collections.abc import Collection, Iterator

from pipeline.ledger import Ledger
from pipeline.markdown.blocks import find_blocks
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import AGENTS

_PATHS = (("blocks", "path"), ("changes", "path"), ("inputs", "name"))
"""The columns with paths of files."""


def follow_agents(ledger: Ledger, workspace: Workspace, root: str, names: Collection[str]) -> str:
    """Change the known paths of agents to the folder `root`, unless a file is still in the old folder.

    `names` are the agents. Returns a file that is still in the old folder; empty without one.

    Raises:
        LedgerDamaged: the ledger cannot be used.
        WriteFailed: the system refuses.
    """
    known_below = "SELECT 1 FROM blocks WHERE path >= ? AND path < ? LIMIT 1"
    away = [name for name in names if not ledger.store.value(known_below, _span(f"{root}/{name}/memory/"))]
    known = [path for name in away for path in _paths_of(ledger, name)]
    unknown = [path for name in away if root != AGENTS for path in _journals_unknown(workspace, name)]
    if left := next((path for path in (*known, *unknown) if workspace.has_path(path)), ""):
        return left
    for old in sorted({path[: path.index(f"/{name}/memory/")] for name in away for path in _paths_of(ledger, name)}):
        begin, inside = _span(f"{old}/"), _span(f"{root}/")
        with ledger.store.transaction():
            for table, column in _PATHS:
                ledger.store.write(
                    f"UPDATE OR REPLACE {table} SET {column} = ? || substr({column}, ?) "  # noqa: S608 - fixed texts
                    f"WHERE {column} >= ? AND {column} < ? AND NOT ({column} >= ? AND {column} < ?)",
                    (root, len(old) + 1, *begin, *inside),
                )
        ledger.changes.held.drop()
    return ""


def _paths_of(ledger: Ledger, name: str) -> list[str]:
    query = "SELECT DISTINCT path FROM blocks WHERE instr(path, ?) > 0 ORDER BY path"
    return ledger.store.column(query, (f"/{name}/memory/",))


def _journals_unknown(workspace: Workspace, name: str) -> Iterator[str]:
    """The journals with lines of ours in the default folder: a lost ledger does not know them."""
    for path in workspace.select(f"{AGENTS}/{name}/memory/journal/*.md"):
        if any(block.item and block.intact for block in find_blocks(workspace.read(path) or b"")):
            yield path


def _span(begin: str) -> tuple[str, str]:
    """The first text with this beginning, and the first text after all of these."""
    return begin, begin[:-1] + chr(ord(begin[-1]) + 1)
