"""Correcting an entry on the page: the words that hold, and a place for the new ones."""

from fastapi import Response
from pydantic import Field

from pipeline.corrections.correct import correct, corrected_report, correction, entry_in_force
from pipeline.errors import PipelineError
from pipeline.surfaces.http.page.errors import error_document
from pipeline.surfaces.http.page.forms import Form, InBody, digest_of
from pipeline.surfaces.http.page.rendering import PageThere, page_router, seen_other
from pipeline.surfaces.http.problems import problem_of
from pipeline.surfaces.http.state import Reading, StateThere

router = page_router()
_LONGEST = 20_000


class CorrectForm(Form):
    """The words that are to hold."""

    text: str = Field(default="", max_length=_LONGEST)


@router.get("/correct/{entry_id}")
def ask(page: PageThere, engine: Reading, entry_id: str) -> Response:
    """The entry as it holds."""
    entry = entry_in_force(engine, entry_id)
    return page.show("correct.html", {"entry": entry, "seen": digest_of(entry)})


@router.post("/correct/{entry_id}")
def save(page: PageThere, state: StateThere, entry_id: str, form: InBody[CorrectForm]) -> Response:
    """Correct it, if it still is what the person saw; then its story."""
    try:
        with state.running() as engine:
            form.require_same(entry_in_force(engine, entry_id))
            wanted = correction(engine, entry_id, form.text)
            report = corrected_report(wanted, correct(engine, wanted))
    except PipelineError as error:
        return error_document(page.request, problem_of(error), form.text)
    return seen_other(f"/entries/{report.id or report.corrects}?notice={'kept' if report.left else 'corrected'}")
