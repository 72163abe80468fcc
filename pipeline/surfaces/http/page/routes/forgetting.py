"""Forgetting for good: an entry, a fact or a line of an agent's memory. First what would go, then the receipt."""

from dataclasses import replace
from typing import Annotated, Literal

from fastapi import APIRouter, Response
from fastapi import Form as FormData

from pipeline.app.corrections import forget_in_index
from pipeline.corrections.forget import forget, forgetting_traces
from pipeline.corrections.forget_fact import fact_topic
from pipeline.corrections.forget_topic import forget_words, line_topic, line_traces
from pipeline.engine.context import Engine
from pipeline.entries.mentions import TopicMatcher
from pipeline.reports.entries import is_line
from pipeline.reports.facts import is_fact
from pipeline.surfaces.http.page.forms import Form, digest_of
from pipeline.surfaces.http.page.rendering import PageThere
from pipeline.surfaces.http.state import Reading, StateThere
from schemas.reports.corrections import Forgotten, ForgottenWords, TopicTraces
from schemas.reports.entries import EntryHistory, GoneEntry

router = APIRouter(include_in_schema=False)


class ForgetForm(Form):
    """The word that a person types, as at a terminal."""

    typed: Literal["forget"]


@router.get("/forget/{subject_id}")
def ask(page: PageThere, state: StateThere, engine: Reading, subject_id: str) -> Response:
    """The traces that forgetting takes away, and the place to type the word."""
    if _is_words(subject_id):
        seen: TopicTraces | EntryHistory | GoneEntry = line_traces(engine, _topic(engine, subject_id))
    else:
        seen = forgetting_traces(engine, subject_id)
    standing = {f"{place.path}:{place.line}": place.entry for place in state.books.of(engine).places}
    values = {
        "id": subject_id,
        "seen": digest_of(seen),
        "traces": seen,
        "is_words": _is_words(subject_id),
        "standing": standing,
    }
    return page.show("forget.html", values)


@router.post("/forget/{subject_id}")
def forgotten(page: PageThere, state: StateThere, subject_id: str, form: Annotated[ForgetForm, FormData()]) -> Response:
    """Forget a subject; the receipt tells what was reached, and what is out of reach."""
    with state.reading() as engine:
        receipt = _forget_subject(engine, subject_id, form)
    indexed, _ = forget_in_index(state.root, state.context)
    return page.show("forgotten.html", {"receipt": replace(receipt, index=indexed)})


def _forget_subject(engine: Engine, subject_id: str, form: ForgetForm) -> Forgotten | ForgottenWords:
    if _is_words(subject_id):
        subject = _topic(engine, subject_id)
        form.require_same(line_traces(engine, subject))
        return forget_words(engine, subject)
    story = forgetting_traces(engine, subject_id)
    form.require_same(story)
    return forget(engine, story.id)


def _is_words(subject_id: str) -> bool:
    """Whether a subject is forgotten by its words: a fact, or a line of an agent's memory."""
    return is_line(subject_id) or is_fact(subject_id)


def _topic(engine: Engine, subject_id: str) -> TopicMatcher:
    return fact_topic(engine, subject_id) if is_fact(subject_id) else line_topic(engine, subject_id)
