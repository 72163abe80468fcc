"""The search: one box, hits with their places and why."""

from typing import Annotated, Self

from fastapi import APIRouter, Query, Response
from pydantic import model_validator

from pipeline.errors import PipelineError
from pipeline.surfaces.http.page.forms import QueryForm
from pipeline.surfaces.http.page.rendering import PageThere
from pipeline.surfaces.http.state import StateThere
from schemas.entry import Status
from schemas.hit import Answer, Reach
from schemas.requests import SearchRequest
from schemas.search_limits import MEMORY_KINDS

router = APIRouter(include_in_schema=False)
_MOST = 30
_NEAREST = 10
"""The hits that are shown at once though they have none of the words: a question may be in another language."""


class SearchForm(SearchRequest, QueryForm):
    """A question and its filters, as the form sends them."""

    query: str = ""

    @model_validator(mode="after")
    def _check_fault(self) -> Self:
        # The form is shown again with the fault: a refused address would lose the question.
        return self

    @property
    def narrowed(self) -> bool:
        """Whether the form has any filter besides the question."""
        return bool(self.model_dump(exclude={"query", "k"}, exclude_defaults=True))


@router.get("/search")
def search(page: PageThere, state: StateThere, wanted: Annotated[SearchForm, Query()]) -> Response:
    """The hits of a question; where the index cannot answer, the sentence that says why."""
    values = {"wanted": wanted, "reaches": list(Reach), "kinds": MEMORY_KINDS, "statuses": list(Status)}
    answer, refusal = _answer(state, wanted)
    hits = answer.hits if answer else ()
    near = [hit for place, hit in enumerate(hits) if hit.terms or place < _NEAREST]
    shown = {"near": near, "far": [hit for hit in hits if hit not in near]}
    return page.show("search.html", {**values, **shown, "answer": answer, "refusal": refusal})


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
