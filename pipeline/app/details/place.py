"""Read the lines of a detail that a hit names: `detail:KEY#L10-L20`, or of its synopsis."""

import re

from pipeline.app.details.retrieve import retrieve, show
from pipeline.details.paging import line_range
from pipeline.store.opening import WorkspaceStore
from schemas.detail import OWNER, PAGE_TOKENS, DetailPage, DetailReader, PageRequest

BEGINNING = "detail:"
_LINES = r"#L(?P<first>\d{1,15})(?:-L?(?P<last>\d{1,15}))?"
_PLACE = re.compile(rf"{BEGINNING}(?P<key>[^#]*)(?P<synopsis>#synopsis)?(?:{_LINES})?")
_REST = "These are lines of the synopsis. retrieve_memory with a query looks through the text."


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
    return _of_synopsis(show(store, match["key"], reader).summary.rstrip("\n").split("\n"), match["key"], lines)


def _of_synopsis(synopsis: list[str], key: str, lines: str) -> DetailPage:
    first, last = line_range(lines or "1-", len(synopsis))
    text = "\n".join(synopsis[first - 1 : last])
    total = len(synopsis)
    page = DetailPage(key=key, text=text, first_line=first, last_line=last, lines=total, page=1, pages=0, more=_REST)
    return page.model_copy(update={"content": text.encode("utf-8", "replace")})
