"""The inbox: what waits for a person, with what it would write, to accept, to edit or to decline."""

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, get_args
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Response
from fastapi import Form as FormData
from pydantic import ConfigDict, Field

from pipeline.app.corrections import own_words
from pipeline.corrections.decide import accept, accepted_report, decline, declined_report
from pipeline.engine.context import Engine
from pipeline.engine.suggestions import waiting
from pipeline.entries.project_names import goes_by, short_names
from pipeline.errors import PipelineError, UnknownSuggestion
from pipeline.errors.service import NothingChosen, NothingWritten, PageOutdated
from pipeline.ledger.suggestions import KeptSuggestion
from pipeline.reports.suggestions import (
    SHOWN,
    agent_of,
    difference,
    may_edit,
    rank_suggestions,
    shorten_difference,
    word_of,
)
from pipeline.surfaces.http.page.errors import error_document
from pipeline.surfaces.http.page.forms import Form, QueryForm, Words, digest_of
from pipeline.surfaces.http.page.paging import SIZE, part_of
from pipeline.surfaces.http.page.rendering import Page, PageThere, seen_other
from pipeline.surfaces.http.problems import problem_of
from pipeline.surfaces.http.state import Reading, StateThere
from schemas.base import Value
from schemas.outcome import SUCCESSES, Outcome
from schemas.reports.suggestions import DecidedSuggestions
from schemas.suggestion import Suggestion

_WAIT_SECONDS = 1.0  # for a run that is at work: a person looks at the page meanwhile


@dataclass(frozen=True)
class Decided:
    """The result of a decision: the name of a notice, and the runs that did it, which can be undone."""

    notice: str
    run_ids: tuple[str, ...]


def seen_of(suggestion: KeptSuggestion) -> str:
    """The digest of a suggestion as it is shown."""
    return digest_of([suggestion.shown.model_dump(mode="json"), difference(suggestion)])


def as_seen(engine: Engine, wanted: Mapping[str, str]) -> list[KeptSuggestion]:
    """The suggestions of these ids, each as the person saw it by its digest."""
    known = {suggestion.id: suggestion for suggestion in waiting(engine)}
    if gone := wanted.keys() - known.keys():
        _refuse_suggestion(engine, min(gone))
    meant = [known[name] for name in wanted]
    if not all(
        hmac.compare_digest(wanted[suggestion.id].encode(), seen_of(suggestion).encode()) for suggestion in meant
    ):
        raise PageOutdated
    return meant


def accept_suggestions(engine: Engine, meant: Sequence[KeptSuggestion], text: str | None = None) -> Decided:
    """Accept suggestions; a single one in the person's own words where there is a `text`."""
    words = "" if text is None else own_words(engine, meant[0], text)
    outcomes = accept(engine, meant, words, _WAIT_SECONDS)
    return _decision_of(engine, accepted_report(meant, outcomes), outcomes)


def decline_suggestions(engine: Engine, meant: Sequence[KeptSuggestion]) -> Decided:
    """Decline suggestions."""
    return Decided("declined", declined_report(meant, decline(engine, meant)).run_ids)


def _refuse_suggestion(engine: Engine, suggestion_id: str) -> None:
    if any(suggestion.id == suggestion_id for suggestion in engine.ledger.suggestions.all()):
        raise PageOutdated
    raise UnknownSuggestion(suggestion_id)


def _decision_of(engine: Engine, report: DecidedSuggestions, outcomes: Sequence[Outcome]) -> Decided:
    if report.left:
        return Decided("kept", report.run_ids)
    if not all(outcome.ending in SUCCESSES for outcome in outcomes):
        return Decided("unfinished", report.run_ids)
    still = set(report.ids) & {suggestion.id for suggestion in waiting(engine)}
    if still == set(report.ids):
        raise NothingWritten(list(dict.fromkeys(line for outcome in outcomes for line in outcome.notices)))
    return Decided("partly" if still else "accepted", report.run_ids)


router = APIRouter(include_in_schema=False)
_LONGEST = 20_000
_RUN = r"^[\w.:-]*$"


Order = Literal["best", "oldest", "newest"]
"""In which order suggestions are listed: the best first, or by when their words were said."""


class InboxForm(QueryForm):
    """The filter of listed suggestions. `run` names what carried out the decision before."""

    kind: Words = ""
    agent: Words = ""
    project: Words = ""
    order: Order = "best"
    page: int = Field(default=1, ge=1, le=10_000)
    run: list[Annotated[str, Field(max_length=100, pattern=_RUN)]] = Field(default_factory=list, max_length=SIZE)

    def keeps(self, suggestion: KeptSuggestion) -> bool:
        """Whether a suggestion is listed."""
        return (
            self.kind in {"", suggestion.shown.kind}
            and self.agent in {"", agent_of(suggestion)}
            and goes_by(suggestion.project, self.project)
        )

    @property
    def fields(self) -> dict[str, str]:
        """The filters as fields of an address."""
        order = self.order if self.order != "best" else ""
        given = {"kind": self.kind, "agent": self.agent, "project": self.project, "order": order}
        return {name: value for name, value in given.items() if value}


class DecisionForm(Form):
    """A person's decision about a suggestion; with `edit` in the words of `text`."""

    decision: Literal["accept", "edit", "decline"]
    text: str = Field(default="", max_length=_LONGEST)


class SeveralForm(Value):
    """A person's decision about the ticked suggestions, each as `ID.SEEN`."""

    model_config = ConfigDict(defer_build=False)

    decision: Literal["accept", "decline"]
    chosen: list[Annotated[str, Field(max_length=100)]] = Field(default_factory=list, max_length=SIZE)


@dataclass(frozen=True)
class ShownSuggestion:
    """A suggestion as the page shows it: why it waits and whose word it is in the reader's language.

    `short` has the lines of the `difference` that say something.
    """

    shown: Suggestion
    difference: list[str]
    short: list[str]
    seen: str
    may_edit: bool
    agent: str
    why: str
    word: str


@router.get("/inbox")
def inbox(page: PageThere, engine: Reading, wanted: Annotated[InboxForm, Query()]) -> Response:
    """The suggestions that wait."""
    known = waiting(engine)
    meant = rank_suggestions(filter(wanted.keeps, known))
    if wanted.order != "best":
        meant = sorted(meant, key=lambda suggestion: suggestion.shown.date, reverse=wanted.order == "newest")
    part = part_of(meant, wanted.page, SHOWN)
    values = {
        "part": part,
        "suggestions": [_shown_suggestion(page, suggestion) for suggestion in part.items],
        "any": bool(known),
        "kinds": {
            kind: _kind_in_words(page, form, kind)
            for kind, form in sorted({(suggestion.shown.kind, suggestion.about.form) for suggestion in known})
        },
        "agents": sorted({agent for suggestion in known if (agent := agent_of(suggestion))}),
        "projects": short_names(suggestion.project for suggestion in known),
        "orders": get_args(Order),
        "wanted": wanted,
    }
    return page.show("inbox.html", values)


@router.post("/inbox")
def decide_several(_page: PageThere, state: StateThere, form: Annotated[SeveralForm, FormData()]) -> Response:
    """Accept or decline the ticked suggestions; when a suggestion has changed meanwhile, all are left alone."""
    if not form.chosen:
        raise NothingChosen
    wanted = {name: seen for name, _, seen in (choice.partition(".") for choice in form.chosen)}
    with state.running() as engine:
        meant = as_seen(engine, wanted)
        return _go_back(
            decline_suggestions(engine, meant) if form.decision == "decline" else accept_suggestions(engine, meant)
        )


@router.post("/inbox/{suggestion_id}")
def decide(
    page: PageThere, state: StateThere, suggestion_id: str, form: Annotated[DecisionForm, FormData()]
) -> Response:
    """Accept a suggestion, in other words too, or decline it; one that has changed meanwhile is left alone."""
    text = form.text if form.decision == "edit" else None
    try:
        with state.running() as engine:
            meant = as_seen(engine, {suggestion_id: form.seen})
            return _go_back(
                decline_suggestions(engine, meant)
                if form.decision == "decline"
                else accept_suggestions(engine, meant, text)
            )
    except PipelineError as error:
        if text is None:
            raise
        return error_document(page.request, problem_of(error), text)


def _go_back(decided: Decided) -> Response:
    """Send the browser back to the inbox, with the runs that did it."""
    runs = [("run", run_id) for run_id in decided.run_ids[:SIZE]]
    return seen_other(f"/inbox?{urlencode([('notice', decided.notice), *runs])}")


def _kind_in_words(page: Page, form: str, kind: str) -> str:
    """The kind of a suggestion in the reader's language: of an entry, of a fact, or an agent with what would change."""
    before, _, last = kind.rpartition(" ")
    if form == "fact":
        return page.word("page.facts", last)
    return f"{before}: {page.word('inbox.operations', last)}" if before else page.word("page.kinds", kind)


def _reason_in_words(page: Page, reason: str) -> str:
    """The reason of a suggestion in the reader's language, with the value that the reason names."""
    name, colon, value = reason.partition(": ")
    return page.word("inbox.reasons", name) + colon + value


def _shown_suggestion(page: Page, suggestion: KeptSuggestion) -> ShownSuggestion:
    lines = difference(suggestion)
    return ShownSuggestion(
        shown=suggestion.shown,
        difference=lines,
        short=shorten_difference(lines),
        seen=seen_of(suggestion),
        may_edit=may_edit(suggestion),
        agent=agent_of(suggestion),
        why=_reason_in_words(page, suggestion.reason),
        word=page.word("inbox.whose", word_of(suggestion)),
    )
