"""The routes for persons alone: decide about suggestions, take runs back, forget."""

from dataclasses import replace
from enum import StrEnum

from fastapi import APIRouter, Response
from pydantic import Field

from pipeline.app.corrections import forget_in_index, own_words, undo_run
from pipeline.corrections.correct import correct, corrected_report, correction
from pipeline.corrections.decide import accept, accepted_report, decline, declined_report
from pipeline.corrections.forget_subject import forget_subject
from pipeline.engine.suggestions import waiting
from pipeline.reports.suggestions import SuggestionFilter, chosen, may_see, rank_suggestions
from pipeline.surfaces.http.answers import PROBLEMS, answer, gives
from pipeline.surfaces.http.state import AccessThere, PersonThere, Reading, StateThere
from schemas.base import RequestValue
from schemas.fleet_act import ForgettingSubject
from schemas.reports.corrections import CorrectedEntry, DecidedSuggestions, Forgotten, ForgottenWords
from schemas.reports.runs import UndoneRun
from schemas.suggestion import Suggestion

router = APIRouter(tags=["corrections"], responses=PROBLEMS)
_STORE = "store"


class Choice(StrEnum):
    """A person's decision about a suggestion."""

    ACCEPT = "accept"
    DECLINE = "decline"


class DecisionRequest(RequestValue):
    """A decision; of what is accepted, `text` may be the person's own words."""

    decision: Choice
    text: str = ""


class CorrectionOfEntry(RequestValue):
    """Other words for the entry with this id; without `words` another `title` alone."""

    id: str = Field(min_length=1, max_length=400, pattern=r"\S")
    words: str = ""
    title: str = ""


class ForgetRequest(RequestValue):
    """The entry, the fact or the line that is to be forgotten, by its id."""

    id: str = Field(min_length=1, max_length=400, pattern=r"\S")


@router.get("/suggestions", responses=gives(list[Suggestion]))
def suggestions(state: StateThere, engine: Reading, access: AccessThere, project: str = "") -> Response:
    """The suggestions that wait, as `memory suggestions --json`; an agent gets none about other agents' memory."""
    meant = SuggestionFilter(project=engine.catalog.project_named(project))
    stores = {source.root_name for source in engine.settings.transcript_sources if source.kind == _STORE}
    decided = state.find_decisions()
    known = (suggestion for suggestion in rank_suggestions(waiting(engine)) if suggestion.id not in decided)
    seen = (suggestion for suggestion in known if may_see(suggestion, access, stores))
    return answer([suggestion.shown for suggestion in seen if meant(suggestion.shown)])


@router.post("/suggestions/{suggestion_id}", responses=gives(DecidedSuggestions))
def decide(_person: PersonThere, state: StateThere, suggestion_id: str, wanted: DecisionRequest) -> Response:
    """Accept a suggestion, or decline it."""
    with state.running() as engine:
        meant = chosen(waiting(engine), [suggestion_id], SuggestionFilter())
        if wanted.decision is Choice.ACCEPT:
            text = own_words(engine, meant[0], wanted.text) if wanted.text else ""
            return answer(accepted_report(meant, accept(engine, meant, text)))
        return answer(declined_report(meant, decline(engine, meant)))


@router.post("/runs/{run_id}/undo", responses=gives(UndoneRun))
def take_back(_person: PersonThere, state: StateThere, run_id: str) -> Response:
    """Take back what a run wrote, as `memory undo --json`."""
    with state.reading() as engine:
        return answer(undo_run(engine, run_id))


@router.post("/corrections", responses=gives(CorrectedEntry))
def correct_entry(_person: PersonThere, state: StateThere, wanted: CorrectionOfEntry) -> Response:
    """Give an entry other words, which hold everywhere, as `memory correct --json`."""
    with state.running() as engine:
        meant = correction(engine, wanted.id, wanted.words, wanted.title)
        return answer(corrected_report(meant, correct(engine, meant)))


@router.post("/forget", responses=gives(Forgotten | ForgottenWords))
def forgotten(_person: PersonThere, state: StateThere, wanted: ForgetRequest) -> Response:
    """Remove an entry, a fact or a line of an agent's memory everywhere, for good, as `memory forget --json`."""
    with state.reading() as engine:
        receipt = forget_subject(engine, ForgettingSubject(id=wanted.id))
    indexed, _ = forget_in_index(state.root, state.context)
    return answer(replace(receipt, index=indexed))
