"""Details: the large texts behind placeholders, by thread; read in pages, searched, pinned, deleted."""

from collections.abc import Sequence

from fastapi import Response
from pydantic import Field

from pipeline.app.details.expiry import erase_detail
from pipeline.app.details.retrieve import show
from pipeline.app.details.upkeep import count_details, detail_threads, list_details, pin
from pipeline.errors.store import LinesNotThere, LinesUnclear, PagesNotThere
from pipeline.reports.details import lines_of, shown_detail
from pipeline.surfaces.http.page.forms import Form, InBody, InQuery, ListQuery, Words, digest_of
from pipeline.surfaces.http.page.paging import SIZE, fetch_part
from pipeline.surfaces.http.page.rendering import PageThere, page_router, seen_other
from pipeline.surfaces.http.state import StateThere
from schemas.base import RequestValue
from schemas.detail import DetailFilter, DetailType, PageRequest
from schemas.reports.details import ShownDetail

router = page_router()


class DetailForm(ListQuery):
    """The filter of listed details, as the form sends it."""

    thread: Words = ""
    words: Words = ""
    type: DetailType | None = None
    pinned: bool = False

    @property
    def choice(self) -> DetailFilter:
        """The choice as the store takes it."""
        return DetailFilter(self.thread, type=self.type, pinned=True if self.pinned else None, words=self.words)


class PartForm(ListQuery):
    """The part of a text that is wanted."""

    lines: str = Field(default="", max_length=40)
    query: str = Field(default="", max_length=1_000)


class DetailPinForm(RequestValue):
    """Whether a text stays for good."""

    pinned: bool


@router.get("/details")
def details(page: PageThere, state: StateThere, wanted: InQuery[DetailForm]) -> Response:
    """The newest details that fit, and the threads that have some."""

    def fetch(skip: int, limit: int) -> tuple[Sequence[ShownDetail], int]:
        kept = list_details(state.store, wanted.choice, limit, skip)
        return [shown_detail(detail) for detail in kept], count_details(state.store, wanted.choice)

    values = {"part": fetch_part(fetch, wanted.page), "wanted": wanted, "types": list(DetailType)}
    return page.show("details.html", {**values, "threads": detail_threads(state.store, SIZE)})


@router.get("/details/{key}")
def detail(page: PageThere, state: StateThere, key: str, wanted: InQuery[PartForm]) -> Response:
    """A detail: its synopsis, and a part of its text."""
    kept = show(state.store, key)
    part, refusal = None, ""
    try:
        part = state.details.retrieve(key, PageRequest(**vars(wanted)))
    except (LinesUnclear, LinesNotThere, PagesNotThere) as error:
        refusal = str(error)
    values = {
        "shown": shown_detail(kept),
        "wanted": wanted,
        "part": part,
        "refusal": refusal,
        "lines": list(lines_of(part)) if part else [],
        "go_on": part.go_on if part else None,
    }
    return page.show("detail.html", values)


@router.post("/details/{key}/pin")
def keep_for_good(state: StateThere, key: str, form: InBody[DetailPinForm]) -> Response:
    """Pin a detail, or unpin it."""
    kept = show(state.store, key)
    pin(state.store, [kept.key], pinned=form.pinned)
    return seen_other(f"/details/{kept.key}?notice={'pinned' if form.pinned else 'unpinned'}")


@router.get("/details/{key}/delete")
def ask(page: PageThere, state: StateThere, key: str) -> Response:
    """The detail that deletion takes away."""
    shown = shown_detail(show(state.store, key))
    return page.show("detail_delete.html", {"shown": shown, "seen": digest_of(shown), "receipt": None})


@router.post("/details/{key}/delete")
def delete(page: PageThere, state: StateThere, key: str, form: InBody[Form]) -> Response:
    """Delete a detail for good."""
    kept = show(state.store, key)
    shown = shown_detail(kept)
    form.require_same(shown)
    receipt = erase_detail(state.store, state.context, kept)
    return page.show("detail_delete.html", {"shown": shown, "receipt": receipt})
