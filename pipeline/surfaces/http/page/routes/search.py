"""The search: one box, hits with their places and why."""

from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import Field

from pipeline.errors import PipelineError
from pipeline.surfaces.http.page.forms import Empty, OptionalDay, QueryForm, Words
from pipeline.surfaces.http.page.rendering import PageThere
from pipeline.surfaces.http.state import StateThere
from schemas.entry import Status
from schemas.hit import Answer, Reach
from schemas.search_limits import LONGEST_QUERY, MEMORY_KINDS

router = APIRouter(include_in_schema=False)
_MOST = 30
_NEAREST = 10
"""The hits that are shown at once though they have none of the words: a question may be in another language."""


class SearchForm(QueryForm):
    """A question and its filters, as the form sends them; an empty field says nothing."""

    query: str = Field(default="", max_length=LONGEST_QUERY)
    tier: Reach = Reach.AUTO
    kind: Annotated[str | None, Empty] = None
    status: Annotated[Status | None, Empty] = None
    since: OptionalDay = None
    until: OptionalDay = None
    as_of: OptionalDay = None
    entity: Annotated[Words | None, Empty] = None
    project: Annotated[Words | None, Empty] = None
    agent: Annotated[Words | None, Empty] = None

    @property
    def narrowed(self) -> bool:
        """Whether anything but the question is given."""
        return bool(self.model_dump(exclude={"query"}, exclude_defaults=True, exclude_none=True))


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
    """The answer, or why there is none; neither without a question."""
    if not wanted.query.strip():
        return None, ""
    asked = wanted.model_dump(mode="json", exclude_none=True)
    try:
        return Answer.model_validate(state.questions["search"]({**asked, "k": _MOST})), ""
    except PipelineError as error:
        return None, str(error)
