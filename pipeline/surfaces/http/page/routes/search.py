"""The search: one box, hits with their places and why."""

from collections.abc import Iterator
from typing import Self
from urllib.parse import urlencode

from fastapi import Response
from pydantic import model_validator

from pipeline.errors import PipelineError
from pipeline.surfaces.http.page.forms import InQuery, QueryForm
from pipeline.surfaces.http.page.rendering import PageThere, page_router
from pipeline.surfaces.http.state import StateThere
from schemas.entry import Status
from schemas.hit import Answer, Reach
from schemas.requests import SearchRequest
from schemas.search_limits import MEMORY_KINDS

router = page_router()
_MOST = 30
_NEAREST = 10
"""The hits that are shown at once though they have none of the words: a question may be in another language."""
_WORDS = {"tier": "search.tiers", "kind": "page.kinds", "status": "page.statuses"}
"""The groups of texts for the values of filters; other values are shown as they are."""


class SearchForm(SearchRequest, QueryForm):
    """A question and its filters, as the form sends them."""

    query: str = ""

    @model_validator(mode="after")
    def _check_fault(self) -> Self:
        # The form is shown again with the fault: a refused address would lose the question.
        return self


@router.get("/search")
def search(page: PageThere, state: StateThere, wanted: InQuery[SearchForm]) -> Response:
    """The hits of a question; where the index cannot answer, the sentence that says why."""
    answer, refusal = _answer(state, wanted)
    hits = answer.hits if answer else ()
    shown = _NEAREST if answer and answer.by_meaning else 0
    near = [hit for place, hit in enumerate(hits) if hit.terms or place < shown]
    values = {
        "wanted": wanted,
        "reaches": list(Reach),
        "kinds": MEMORY_KINDS,
        "statuses": list(Status),
        "near": near,
        "far": [hit for hit in hits if hit not in near],
        "chips": list(_chips(wanted)),
        "answer": answer,
        "refusal": refusal,
        "has_words": any(hit.terms for hit in hits),
    }
    return page.show("search.html", values)


def _chips(wanted: SearchForm) -> Iterator[tuple[str, str, str, str]]:
    """The filters that are set: the name, the value, the group of texts for it, and the search without the filter."""
    filters = wanted.model_dump(mode="json", exclude={"query", "k"}, exclude_defaults=True)
    for name, value in filters.items():
        rest = {"query": wanted.query} | {other: given for other, given in filters.items() if other != name}
        shown = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        yield name, shown, _WORDS.get(name, ""), f"/search?{urlencode(rest, doseq=True)}"


def _answer(state: StateThere, wanted: SearchForm) -> tuple[Answer | None, str]:
    """The answer, or the reason why there is none; neither without a question."""
    if not wanted.query.strip():
        return None, ""
    if wanted.fault:
        return None, wanted.fault
    try:
        return state.answers.memory.search(wanted.model_copy(update={"k": _MOST})), ""
    except PipelineError as error:
        return None, str(error)
