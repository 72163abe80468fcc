"""Read a part of a detail again, or learn once and for all that it has gone."""

from pipeline.details.keys import is_key
from pipeline.details.matches import matching_page
from pipeline.details.paging import StoredText, numbered_page, page_of_lines
from pipeline.errors.store import DetailGone, UnknownDetail
from pipeline.store.opening import WorkspaceStore
from schemas.detail import Detail
from schemas.detail_page import DetailPage, PageRequest
from schemas.detail_reader import OWNER, DetailReader


def retrieve(store: WorkspaceStore, key: str, request: PageRequest, reader: DetailReader = OWNER) -> DetailPage:
    """A page of a detail: of its lines, of the lines with a query, or of the whole.

    Raises:
        UnknownDetail: no detail has this key, or it is somebody else's.
        DetailGone: it has expired.
        LinesUnclear, LinesNotThere, PagesNotThere: the request names lines or pages that are not there.
        StoreUnavailable, StoreBusy, StoreDamaged, StoreNewer, StoreDriverMissing: it cannot be read now.
    """
    detail, table = show(store, key, reader), store.details
    text = StoredText(detail, lambda line: table.read(detail, line), lambda byte: table.read_bytes(detail, byte))
    if request.query:
        return matching_page(text, request)
    return page_of_lines(text, request) if request.lines else numbered_page(text, request)


def show(store: WorkspaceStore, key: str, reader: DetailReader = OWNER) -> Detail:
    """What is known of a detail.

    Raises:
        UnknownDetail, DetailGone: as `retrieve`.
    """
    key = key.strip()
    detail = store.details.find(key) if is_key(key) and store.exists else None
    if not detail or not reader.may_read(detail):
        raise UnknownDetail(key[:_SHOWN])
    if not detail.active:
        raise DetailGone(key, str(detail.metadata.get("command") or ""))
    return detail


_SHOWN = 200
