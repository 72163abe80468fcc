"""Forgetting for good: an entry, a fact, a line of an agent, or a topic. First what would go, then the receipt.

The words of a topic stand in no address: its form sends them again. The receipt stays at an address of its own, in the
memory of the service, and has no word of what went; at a front the act has it.
"""

import secrets
from hashlib import sha256
from typing import Annotated, Literal

from fastapi import Response
from pydantic import Field

from pipeline.app.corrections import forget_in_index
from pipeline.corrections.forget_subject import find_matcher, find_traces, forget_subject, wordless_fields
from pipeline.corrections.forget_topic import other_cases, topic
from pipeline.engine.context import Engine
from pipeline.errors import UnknownEntry
from pipeline.surfaces.http.page.forms import Form, InBody, digest_of
from pipeline.surfaces.http.page.rendering import Page, PageThere, act_asked, page_router, seen_other
from pipeline.surfaces.http.state import HttpState, Reading, StateThere
from schemas.base import RequestValue
from schemas.fleet_act import ForgetAct, ForgettingSubject

router = page_router()
_SALT = secrets.token_bytes(16)


class ForgetForm(Form):
    """The word that a person types, as at a terminal."""

    typed: Literal["forget"]


class TopicForm(RequestValue):
    """A name, or some words in a row, about which everything is to be forgotten; `cases` are other cases of it."""

    topic: str = Field(min_length=1, max_length=200)
    cases: list[Annotated[str, Field(max_length=200)]] = Field(default_factory=list, max_length=100)


class ForgetTopicForm(ForgetForm, TopicForm):
    """The word that a person types under what would go with a topic."""


@router.get("/forget")
@router.get("/forget/topic")
def begin(page: PageThere) -> Response:
    """The place to name a topic, also for who comes back without its words."""
    return page.show("forget_topic.html", {})


@router.post("/forget")
def name_topic(page: PageThere, state: StateThere, engine: Reading, form: InBody[TopicForm]) -> Response:
    """The traces that forgetting a topic takes away, also by the ticked cases of its name, as `ask` shows them."""
    name = form.topic.strip()
    cases = other_cases(engine, topic([name])) if form.cases else {}
    ticked = tuple(case for case in cases if case in form.cases)
    return _show_traces(page, state, engine, ForgettingSubject(topic=name, cases=ticked))


@router.post("/forget/topic")
def forgotten_topic(state: StateThere, form: InBody[ForgetTopicForm]) -> Response:
    """Forget a topic, and show the receipt."""
    return _forget(state, ForgettingSubject(topic=form.topic, cases=tuple(form.cases)), form)


@router.get("/forget/{subject_id}")
def ask(page: PageThere, state: StateThere, engine: Reading, subject_id: str) -> Response:
    """The traces that forgetting takes away, and the place to type the word; of what is forgotten the receipt."""
    receipt = _receipt_name(subject_id)
    if state.receipts.of(receipt):
        return seen_other(f"/forget/{receipt}/done")
    try:
        return _show_traces(page, state, engine, ForgettingSubject(id=subject_id))
    except UnknownEntry:
        return seen_other(f"/entries/{subject_id}")


@router.post("/forget/{subject_id}")
def forgotten(state: StateThere, subject_id: str, form: InBody[ForgetForm]) -> Response:
    """Forget a subject, and show the receipt."""
    return _forget(state, ForgettingSubject(id=subject_id), form)


@router.get("/forget/{name}/done")
def receipt(page: PageThere, state: StateThere, name: str) -> Response:
    """Show the erased places and those out of reach, as long as the service remembers them."""
    return page.show("forgotten.html", {"receipt": state.receipts.of(name)})


def _show_traces(page: Page, state: HttpState, engine: Engine, subject: ForgettingSubject) -> Response:
    matcher, traces = find_matcher(engine, subject), find_traces(engine, subject)
    standing = {f"{place.path}:{place.line}": place.entry for place in state.books.of(engine).places}
    unticked = topic([subject.topic]) if subject.topic else None
    values = {
        "subject": subject,
        "seen": digest_of(traces),
        "traces": traces,
        "is_words": matcher is not None,
        "cases": other_cases(engine, unticked) if unticked else {},
        "standing": standing,
    }
    return page.show("forget.html", values)


def _forget(state: HttpState, subject: ForgettingSubject, form: ForgetForm) -> Response:
    with state.reading() as engine:
        form.require_same(find_traces(engine, subject))
        if state.acts:
            return act_asked(state.acts, ForgetAct(**subject.model_dump()))
        matcher = find_matcher(engine, subject)
        fields = wordless_fields(forget_subject(engine, subject), matcher)
    for kept in (state.undone, state.words):  # they have words of files
        kept.clear()
    indexed, _ = forget_in_index(state.root, state.context)
    state.receipts.keep(fields | {"index": indexed}, name := _receipt_name(subject.id or subject.topic))
    return seen_other(f"/forget/{name}/done")


def _receipt_name(subject: str) -> str:
    """The name of a receipt, which tells nothing of the subject: an id too may have words of what went."""
    return sha256(_SALT + subject.encode()).hexdigest()[:16]
