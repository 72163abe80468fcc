"""Keep the index of details up to date, where there are any."""

from pipeline.errors import PipelineError
from pipeline.errors.store import StoreBusy, StoreDamaged, StoreDriverMissing, StoreNewer, StoreUnavailable
from pipeline.index.context import EVERYTHING, Indexing, Updated, WorkLimit
from pipeline.index.sync.update import rebuild, update

_UNREADABLE = (StoreUnavailable, StoreBusy, StoreDamaged, StoreNewer, StoreDriverMissing)


def update_details(
    indexing: Indexing, work_limit: WorkLimit = EVERYTHING, *, full: bool = False, wait: float = 0.0
) -> tuple[Updated, PipelineError | None]:
    """What was done, and why it could not be: the index of files does not suffer from a store that is out of reach.

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


def _is_there(indexing: Indexing) -> bool:
    with indexing.store.reading() as reader:
        return reader is not None
