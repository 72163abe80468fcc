"""Take a detail away for good: its row, its text, what stands of it in the store's log, and its part of the index."""

from pipeline.app.detail_index import taken_out
from pipeline.process.context import ProcessContext
from pipeline.store.opening import WorkspaceStore
from schemas.detail import Detail
from schemas.reports.details import PrunedDetails


def erase_detail(store: WorkspaceStore, context: ProcessContext, detail: Detail) -> PrunedDetails:
    """Erase a detail; a notice says when the index has it still.

    Raises:
        StoreError: nothing was erased.
    """
    store.details.erase([detail.key])
    store.database.compact()
    notice = taken_out(store.root, context, [detail.key])
    return PrunedDetails((detail.key,), detail.size, (), notice)
