"""Forgetting for good: an entry, a fact, a line of an agent, or a topic. First what would go, then the receipt.

The receipt stays at an address of its own, in the memory of the service, and has no word of what went.
"""

import secrets
from dataclasses import asdict, replace
from hashlib import sha256
from typing import Annotated, Literal

from fastapi import Response
from pydantic import Field

from pipeline.app.corrections import forget_in_index
from pipeline.corrections.forget import forget, forgetting_traces
from pipeline.corrections.forget_fact import fact_topic
from pipeline.corrections.forget_topic import (
    forget_topic,
    forget_words,
    line_topic,
    line_traces,
    other_cases,
    topic,
    traces,
)
from pipeline.engine.context import Engine
from pipeline.entries.mentions import TopicMatcher
from pipeline.entries.reference import wordless
from pipeline.errors import UnknownEntry
from pipeline.errors.service import PageOutdated
from pipeline.reports.entries import is_line
from pipeline.reports.facts import is_fact
from pipeline.surfaces.http.page.forms import Form, InBody, digest_of
from pipeline.surfaces.http.page.rendering import PageThere, page_router, seen_other
from pipeline.surfaces.http.state import HttpState, Reading, StateThere
from schemas.base import RequestValue
from schemas.reports.corrections import Forgotten, ForgottenWords

router = page_router()
_TOPIC = "topic-"
_SALT = secrets.token_bytes(16)


class ForgetForm(Form):
    """The word that a person types, as at a terminal."""

    typed: Literal["forget"]


class TopicForm(RequestValue):
    """A name, or some words in a row, about which everything is to be forgotten; `cases` are other cases of it."""

    topic: str = Field(min_length=1, max_length=200)
    cases: list[Annotated[str, Field(max_length=200)]] = Field(default_factory=list, max_length=100)


@router.get("/forget")
def begin(page: PageThere) -> Response:
    """The place to name a topic."""
    return page.show("forget_topic.html", {})


@router.post("/forget")
def name_topic(state: StateThere, form: InBody[TopicForm]) -> Response:
    """Look for a topic, and lead to what would go, by an address without its words."""
    subject, name = topic([form.topic.strip()]), f"{_TOPIC}{secrets.token_hex(8)}"
    with state.reading() as engine:
        cases = other_cases(engine, subject) if form.cases else {}
        subject = replace(subject, cases=tuple(case for case in cases if case in form.cases))
        traces(engine, subject)
    state.topics.keep(subject, name)
    return seen_other(f"/forget/{name}")


@router.get("/forget/{subject_id}")
def ask(page: PageThere, state: StateThere, engine: Reading, subject_id: str) -> Response:
    """The traces that forgetting takes away, and the place to type the word; of what is forgotten the receipt."""
    receipt = _receipt_name(subject_id)
    if state.receipts.of(receipt):
        return seen_other(f"/forget/{receipt}/done")
    is_topic = subject_id.startswith(_TOPIC)
    if is_topic and not state.topics.of(subject_id):
        return seen_other("/forget")
    try:
        matcher = _matcher_of(state, engine, subject_id)
        seen = _traces_of(engine, subject_id, matcher)
    except UnknownEntry:
        return seen_other(f"/entries/{subject_id}")
    standing = {f"{place.path}:{place.line}": place.entry for place in state.books.of(engine).places}
    values = {
        "id": subject_id,
        "seen": digest_of(seen),
        "traces": seen,
        "is_words": matcher is not None,
        "is_topic": is_topic,
        "cases": other_cases(engine, replace(matcher, cases=())) if matcher and is_topic else {},
        "ticked": matcher.cases if matcher else (),
        "standing": standing,
    }
    return page.show("forget.html", values)


@router.post("/forget/{subject_id}")
def forgotten(state: StateThere, subject_id: str, form: InBody[ForgetForm]) -> Response:
    """Forget a subject, and show the receipt."""
    with state.reading() as engine:
        matcher = _matcher_of(state, engine, subject_id)
        form.require_same(_traces_of(engine, subject_id, matcher))
        receipt = _forget_subject(engine, subject_id, matcher)
    for kept in (state.topics, state.undone, state.words):  # they have words of files
        kept.clear()
    indexed, _ = forget_in_index(state.root, state.context)
    fields = asdict(receipt) | {"index": indexed, "names": (), "entry_id": ""}
    ids = {name: tuple(map(wordless, fields[name])) for name in ("entries", "said_by") if name in fields}
    state.receipts.keep(fields | ids, name := _receipt_name(subject_id))
    return seen_other(f"/forget/{name}/done")


@router.get("/forget/{name}/done")
def receipt(page: PageThere, state: StateThere, name: str) -> Response:
    """Show the erased places and those out of reach, as long as the service remembers them."""
    return page.show("forgotten.html", {"receipt": state.receipts.of(name)})


def _matcher_of(state: HttpState, engine: Engine, subject_id: str) -> TopicMatcher | None:
    """The words by which a topic, a fact, or a line of an agent's memory is forgotten; `None` for an entry."""
    if subject_id.startswith(_TOPIC):
        subject = state.topics.of(subject_id)
        if subject is None:  # the service began anew, or the topic is forgotten
            raise PageOutdated
        return subject
    if is_fact(subject_id):
        return fact_topic(engine, subject_id)
    return line_topic(engine, subject_id) if is_line(subject_id) else None


def _traces_of(engine: Engine, subject_id: str, matcher: TopicMatcher | None) -> object:
    """The traces that forgetting takes away."""
    if matcher is None:
        return forgetting_traces(engine, subject_id)
    return (traces if subject_id.startswith(_TOPIC) else line_traces)(engine, matcher)


def _forget_subject(engine: Engine, subject_id: str, matcher: TopicMatcher | None) -> Forgotten | ForgottenWords:
    if matcher is None:
        return forget(engine, forgetting_traces(engine, subject_id).id)
    return (forget_topic if subject_id.startswith(_TOPIC) else forget_words)(engine, matcher)


def _receipt_name(subject_id: str) -> str:
    """The name of a receipt, which tells nothing of the id: that may have words of what went."""
    return sha256(_SALT + subject_id.encode()).hexdigest()[:16]
