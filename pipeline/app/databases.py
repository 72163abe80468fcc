"""The databases of a workspace: the ledger, the store, and whether they and the index can be used now."""

from dataclasses import dataclass
from pathlib import Path

from pipeline.app.index import UPDATE_LATCH
from pipeline.app.opening import opened
from pipeline.errors import Held, PipelineError
from pipeline.process.context import ProcessContext
from pipeline.store.opening import FILE, FOLDER, WorkspaceStore
from pipeline.workspace.files import STATE_FOLDER
from pipeline.workspace.layout import INDEX_FOLDER, LEDGER_FILE
from pipeline.workspace.locks import Latch

_PATIENCE = 2.0  # seconds that a look at the store waits for its answer


@dataclass(frozen=True)
class DatabaseStanding:
    """A database: where it is, its bytes on the disk if it is a file here, and why it cannot be used."""

    where: str
    size: int | None = None
    error: str = ""


def ledger_standing(root: Path, context: ProcessContext) -> DatabaseStanding:
    """The ledger; it is opened, and not looked through."""
    where, error = f"{STATE_FOLDER}/{LEDGER_FILE}", ""
    try:
        with opened(root, context, looking=False) as engine:
            engine.ledger.runs.latest(limit=1)
    except PipelineError as refused:
        error = str(refused)
    return DatabaseStanding(where, _size(root / where), error)


def store_standing(store: WorkspaceStore) -> DatabaseStanding | None:
    """The store; `None` where nothing was ever stored."""
    if not store.exists:
        return None
    error, name = "", store.settings.workspace
    try:
        store.probe(_PATIENCE)
    except PipelineError as refused:
        error = str(refused)
    if store.settings.url.get_secret_value():
        return DatabaseStanding(f"PostgreSQL, workspace {name}", error=error)
    where = f"{FOLDER}/{FILE}"
    return DatabaseStanding(where, _size(store.root / where), error)


def index_is_updated(root: Path) -> bool:
    """Whether a process brings the index up to date now."""
    latch = Latch(root / STATE_FOLDER / INDEX_FOLDER / UPDATE_LATCH)
    try:
        if latch.path.exists():
            with latch.hold(0):
                pass
    except Held:
        return True
    except PipelineError:  # without the right to try the lock it is unknown
        return False
    return False


def _size(file: Path) -> int | None:
    try:
        return file.stat().st_size
    except OSError:
        return None
