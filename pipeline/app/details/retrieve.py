"""Read a part of a detail again, or learn once and for all that it has gone."""

import re
from collections.abc import Iterator

from pipeline.details.paging import StoredText, line_range, matching_page, numbered_page, page_of_lines, parts_from
from pipeline.details.placeholder import is_key, key_in_placeholder
from pipeline.errors.store import DetailGone, PlaceholderNotKey, UnknownDetail
from pipeline.store.opening import WorkspaceStore
from schemas.detail import OWNER, PAGE_TOKENS, Detail, DetailPage, DetailReader, PageRequest

BEGINNING = "detail:"
"""Begins the place of a detail."""
_LINES = r"#L(?P<first>\d{1,15})(?:-L?(?P<last>\d{1,15}))?"
_PLACE = re.compile(rf"{BEGINNING}(?P<key>[^#]*)(?P<synopsis>#synopsis)?(?:{_LINES})?")
"""The place of a detail, of its synopsis, or of lines of either: `detail:KEY#synopsis#L3-L9`."""
_REST = "These are lines of the synopsis. retrieve_memory with a query looks through the text."
_SHOWN = 200  # characters of an unknown key


def retrieve(store: WorkspaceStore, key: str, request: PageRequest, reader: DetailReader = OWNER) -> DetailPage:
    """A page of a detail: of its lines, of the lines with a query, or of the whole.

    Raises:
        UnknownDetail: no detail has this key, or it is somebody else's.
        DetailRefused: it has expired; the request names lines or pages that are not there.
        StoreError: it cannot be read now.
    """
    text = _text(store, show(store, key, reader))
    if request.query:
        return matching_page(text, request)
    return page_of_lines(text, request) if request.lines else numbered_page(text, request)


def raw_parts(store: WorkspaceStore, detail: Detail, lines: str) -> Iterator[bytes]:
    """The bytes of a detail, or of some of its lines, in parts.

    Raises:
        DetailRefused: as `retrieve`.
    """
    first, last = line_range(lines, detail.lines) if lines else (1, detail.lines)
    return (part for line, part in parts_from(_text(store, detail), first) if line <= last)


def _text(store: WorkspaceStore, detail: Detail) -> StoredText:
    table = store.details
    return StoredText(detail, lambda line: table.read(detail, line), lambda byte: table.read_bytes(detail, byte))


def show(store: WorkspaceStore, key: str, reader: DetailReader = OWNER) -> Detail:
    """The report on a detail, without its text.

    Raises:
        UnknownDetail: as `retrieve`.
        DetailRefused: as `retrieve`; a whole placeholder stands in the place of its key.
    """
    key = key.strip()
    if inner := key_in_placeholder(key):
        raise PlaceholderNotKey(inner)
    detail = store.details.find(key) if is_key(key) and store.exists else None
    if not detail or not reader.may_read(detail):
        raise UnknownDetail(key[:_SHOWN])
    if not detail.active:
        raise DetailGone(key, str(detail.metadata.get("command") or ""))
    return detail


def read_detail_place(
    store: WorkspaceStore, place: str, reader: DetailReader = OWNER, tokens: int = PAGE_TOKENS
) -> DetailPage:
    """The page that a place names; without lines it is the first one.

    Raises:
        UnknownDetail: there is no such detail, or it is somebody else's.
        DetailRefused: it has expired; it has no such lines.
        StoreError: it cannot be read now.
    """
    match = _PLACE.fullmatch(place)
    if match is None:
        return retrieve(store, place.removeprefix(BEGINNING), PageRequest(), reader)  # its error names the key
    first, last = match["first"], match["last"] or match["first"]
    lines = f"{first}-{last}" if first else ""
    if not match["synopsis"]:
        return retrieve(store, match["key"], PageRequest(lines=lines, tokens=tokens), reader)
    key = match["key"]
    synopsis = show(store, key, reader).summary.rstrip("\n").split("\n")
    first, last = line_range(lines or "1-", len(synopsis))
    text = "\n".join(synopsis[first - 1 : last])
    total = len(synopsis)
    page = DetailPage(key=key, text=text, first_line=first, last_line=last, lines=total, page=1, pages=0, more=_REST)
    return page.model_copy(update={"content": text.encode("utf-8", "replace")})
