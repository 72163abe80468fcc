"""The inbox: what waits for a person, with what it would write, to accept, to edit or to decline."""

from dataclasses import dataclass
from typing import Annotated, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Response
from fastapi import Form as FormData
from pydantic import Field

from pipeline.corrections.decide import accept, decline
from pipeline.corrections.decide_report import accepted_report, declined_report
from pipeline.engine.context import Engine
from pipeline.engine.suggestions import waiting
from pipeline.ledger.suggestions import KeptSuggestion
from pipeline.reports.suggestions import SuggestionFilter, chosen, difference
from pipeline.surfaces.http.page.forms import Form, digest_of
from pipeline.surfaces.http.page.paging import Paged, paged
from pipeline.surfaces.http.page.rendering import PageThere, seen_other
from pipeline.surfaces.http.state import Reading, StateThere
from schemas.reports.suggestions import DecidedSuggestions
from schemas.suggestion import Suggestion

router = APIRouter(include_in_schema=False)
_WITH_WORDS = {"new", "change", "fact", "entry"}
"""The forms of suggestions that a person may accept in words of their own."""
_LONGEST = 20_000
_RUN = r"^[\w.:-]*$"


@dataclass(frozen=True)
class ShownSuggestion:
    """A suggestion as the page shows it; `may_edit` says whether it can be accepted in other words."""

    shown: Suggestion
    difference: list[str]
    seen: str
    may_edit: bool


class DecisionForm(Form):
    """What a person says; with `edit` in the words of `text`."""

    decision: Literal["accept", "edit", "decline"]
    text: str = Field(default="", max_length=_LONGEST)


@router.get("/inbox")
def inbox(
    page: PageThere,
    engine: Reading,
    kind: Annotated[str, Query(max_length=200)] = "",
    number: Annotated[int, Query(alias="page", ge=1, le=10_000)] = 1,
    run: Annotated[str, Query(max_length=100, pattern=_RUN)] = "",
) -> Response:
    """What waits, the oldest first. `run` is the one that carried out the decision before."""
    known = waiting(engine)
    meant = [one for one in known if SuggestionFilter(kind=kind or None)(one.shown)]
    part: Paged[KeptSuggestion] = paged(meant, number)
    values = {
        "part": part,
        "suggestions": [_shown(one) for one in part.items],
        "kinds": sorted({one.shown.kind for one in known}),
        "kind": kind,
        "run": run,
    }
    return page.show("inbox.html", values)


@router.post("/inbox/{suggestion_id}")
def decide(
    _page: PageThere, state: StateThere, suggestion_id: str, form: Annotated[DecisionForm, FormData()]
) -> Response:
    """Accept a suggestion, in other words too, or decline it; one that has changed meanwhile is left alone."""
    with state.running() as engine:
        meant = chosen(waiting(engine), [suggestion_id], SuggestionFilter())
        form.require_same(meant[0].shown)
        report = _decided(engine, meant, form)
    notice = "kept" if report.left else "declined" if form.decision == "decline" else "accepted"
    run = {"run": report.run_ids[0]} if report.run_ids else {}
    return seen_other(f"/inbox?{urlencode({'notice': notice, **run})}")


def _decided(engine: Engine, meant: list[KeptSuggestion], form: DecisionForm) -> DecidedSuggestions:
    if form.decision == "decline":
        return declined_report(meant, decline(engine, meant))
    return accepted_report(meant, accept(engine, meant, form.text.strip() if form.decision == "edit" else ""))


def _shown(suggestion: KeptSuggestion) -> ShownSuggestion:
    shown = suggestion.shown
    return ShownSuggestion(shown, difference(suggestion), digest_of(shown), shown.form in _WITH_WORDS)
