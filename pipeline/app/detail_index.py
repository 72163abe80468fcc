"""Keep the index of details up to date, where there are any."""

from collections.abc import Collection
from pathlib import Path

from pipeline.app.index import open_index
from pipeline.errors import PipelineError
from pipeline.errors.store import StoreBusy, StoreDamaged, StoreDriverMissing, StoreNewer, StoreUnavailable
from pipeline.index.chunking.details import all_paths_of
from pipeline.index.context import EVERYTHING, Indexing, Updated, WorkLimit
from pipeline.index.sync.update import rebuild, take_out, update
from pipeline.process.context import ProcessContext

_UNREADABLE = (StoreUnavailable, StoreBusy, StoreDamaged, StoreNewer, StoreDriverMissing)
_PATIENCE_SECONDS = 3.0
"""For how long an erasure waits for an update of the index; that of a search takes about one."""


def update_details(
    indexing: Indexing, work_limit: WorkLimit = EVERYTHING, *, full: bool = False, wait: float = 0.0
) -> tuple[Updated, PipelineError | None]:
    """Update the index of details; a store that is out of reach gives a reason, and leaves the index of files alone.

    A workspace that never had a store gets no index of it.

    Raises:
        Held: another process is updating it, still after waiting.
        IndexUnavailable: its engine fails.
        Interrupted: a stop was requested.
    """
    if not (indexing.details and indexing.details.exists) and not _is_there(indexing):
        return Updated(), None
    try:
        return rebuild(indexing, wait=wait) if full else update(indexing, work_limit, wait=wait), None
    except _UNREADABLE as error:
        return Updated(), error


def taken_out(root: Path, context: ProcessContext, keys: Collection[str]) -> str:
    """Take details that were erased out of the index at once; a notice when its next update has to do it."""
    paths = [path for key in keys for path in all_paths_of(key)]
    if not paths:
        return ""
    try:
        with open_index(root, context) as opened:
            take_out(opened.details.indexing, paths, wait=_PATIENCE_SECONDS)
    except PipelineError as error:
        return f"The next update of the index takes out what has gone. {error}"
    return ""


def _is_there(indexing: Indexing) -> bool:
    with indexing.store.reading() as reader:
        return reader is not None
