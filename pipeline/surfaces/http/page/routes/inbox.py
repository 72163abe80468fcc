"""The inbox: a list of what waits for a person beside a reader, to accept, to edit, to decline, and to take back.

At a front an answer is an act: until a worker has carried it out, its suggestion stands apart, with the act.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Annotated, Literal, get_args
from urllib.parse import urlencode

from fastapi import Response
from pydantic import Field

from pipeline.app.corrections import own_words
from pipeline.corrections.decide import (
    accept,
    accepted_report,
    accepted_words,
    answer_about,
    decline,
    require_written,
    take_back,
)
from pipeline.engine.context import Engine
from pipeline.engine.suggestions import waiting
from pipeline.entries.project_names import goes_by, short_names
from pipeline.errors import PipelineError, UnknownSuggestion
from pipeline.errors.service import NothingChosen, PageOutdated
from pipeline.ledger.suggestions import KeptSuggestion
from pipeline.reports.entries import words_around
from pipeline.reports.entry_book import EntryBooks
from pipeline.reports.suggestions import (
    agent_of,
    difference,
    may_edit,
    rank_suggestions,
    replaced_words,
    sentence_of,
    word_of,
)
from pipeline.surfaces.http.page.errors import error_document
from pipeline.surfaces.http.page.forms import Form, InBody, InQuery, ListQuery, Words, digest_of, is_digest
from pipeline.surfaces.http.page.paging import SIZE, part_of
from pipeline.surfaces.http.page.reading import visible
from pipeline.surfaces.http.page.rendering import Page, PageThere, page_router, seen_other
from pipeline.surfaces.http.problems import problem_for
from pipeline.surfaces.http.state import HttpState, Reading, StateThere, state_of
from pipeline.workspace.declined import read_declined
from schemas.base import RequestValue
from schemas.fleet_act import AcceptAct, ActNumber, DeclineAct, FleetAct, TakeBackAct
from schemas.outcome import SUCCESSES
from schemas.reports.fleet import FleetActReport
from schemas.suggestion import StandingEntry

_ASKED = "asked"
"""The notice about an answer that a worker is to carry out."""
_WAIT_SECONDS = 1.0  # for a run that is at work: a person looks at the page meanwhile
_TOGETHER = 20  # suggestions that one answer of the reader is about
_SHORT = 160  # characters of the words of a suggestion beside others
_STORE = "store"  # the kind of sources that are conversations in progress


def seen_of(suggestion: KeptSuggestion) -> str:
    """The digest of a suggestion as it is shown."""
    return digest_of([suggestion.shown.model_dump(mode="json"), difference(suggestion)])


router = page_router()
_LONGEST, _LONGEST_LINE = 20_000, 400
_NAME = r"^[\w.:-]*$"
_Name = Annotated[str, Field(max_length=100, pattern=_NAME)]


Order = Literal["best", "oldest", "newest"]
"""In which order suggestions are listed: the best first, or by when their words were said."""


class InboxForm(ListQuery):
    """The filter of listed suggestions.

    `done` are those that were answered just now, `run` what carried it out, and `act` what will.
    """

    kind: Words = ""
    agent: Words = ""
    project: Words = ""
    session: Words = ""
    order: Order = "best"
    done: list[_Name] = Field(default_factory=list, max_length=SIZE, exclude=True)
    run: list[_Name] = Field(default_factory=list, max_length=SIZE, exclude=True)
    act: list[ActNumber] = Field(default_factory=list, max_length=SIZE, exclude=True)

    def keeps(self, suggestion: KeptSuggestion) -> bool:
        """Whether a suggestion is listed."""
        return (
            self.kind in {"", suggestion.shown.kind}
            and self.agent in {"", agent_of(suggestion)}
            and self.session in {"", suggestion.shown.source.session_id}
            and goes_by(suggestion.project, self.project)
        )

    def sort_suggestions(self, engine: Engine, known: Iterable[KeptSuggestion]) -> list[KeptSuggestion]:
        """The suggestions of the list in their order; those of one session stand together.

        Decided ones have their places too, as long as they are kept: an answer moves no session up or down.
        """
        every = rank_suggestions(engine.ledger.suggestions.all())
        if self.order != "best":
            every = sorted(every, key=lambda suggestion: suggestion.shown.date, reverse=self.order == "newest")
        sessions = dict[str, int]()
        places = {
            suggestion.id: (sessions.setdefault(_session_of(suggestion), at), at) for at, suggestion in enumerate(every)
        }
        return sorted(filter(self.keeps, known), key=lambda suggestion: places[suggestion.id])

    def path(self, suggestion_id: str = "", *more: tuple[str, str]) -> str:
        """The address of a suggestion, or of the list, with these filters."""
        fields = urlencode([*self.fields.items(), *more])
        return "/".join(filter(None, ("/inbox", suggestion_id))) + (f"?{fields}" if fields else "")


class DecisionForm(Form):
    """A person's decision about a suggestion; accepted with another `text` than it has, it is in these words."""

    decision: Literal["accept", "decline"]
    text: str | None = Field(default=None, max_length=_LONGEST)


class SeveralForm(RequestValue):
    """A person's decision about the ticked suggestions, each as `ID.SEEN`."""

    decision: Literal["accept", "decline"]
    chosen: list[Annotated[str, Field(max_length=100)]] = Field(default_factory=list, max_length=SIZE)


class TakeBackForm(Form):
    """A person takes back an answer about suggestions, and the runs that carried it out."""

    done: list[_Name] = Field(default_factory=list, max_length=SIZE)
    run: list[_Name] = Field(default_factory=list, max_length=SIZE)


Wanted = InQuery[InboxForm]


@dataclass(frozen=True)
class UndecidedSuggestions:
    """The suggestions that nobody has decided, by id, and the acts about those that a worker is about to answer."""

    known: Mapping[str, KeptSuggestion]
    acts: Mapping[str, FleetActReport]

    @classmethod
    def read(cls, state: HttpState, engine: Engine) -> "UndecidedSuggestions":
        """Read the suggestions and the acts of this moment."""
        acts = state.find_decisions()
        return cls({one.id: one for one in waiting(engine) if one.id not in acts}, acts)


@dataclass(frozen=True)
class GivenAnswer:
    """A person's answer about suggestions, by id with the digest of each; `text` is the sentence as it was sent."""

    seen: Mapping[str, str]
    decision: str
    text: str | None = None

    @property
    def repeated_outcomes(self) -> set[str]:
        """The outcomes of a suggestion to which this answer was given before, as far as they are known."""
        now = {"declined"} if self.decision == "decline" else {"accepted", "kept"}
        return {"gone", self.decision, *now}

    def acts_about(self, meant: Iterable[KeptSuggestion], words: str) -> Iterator[FleetAct]:
        """The acts that ask for this answer, about each suggestion; `words` are the person's own."""
        for suggestion in meant:
            accepted = AcceptAct(id=suggestion.id, text=words)
            yield DeclineAct(id=suggestion.id) if self.decision == "decline" else accepted

    def without_same_text(self, suggestion: KeptSuggestion) -> "GivenAnswer":
        """The answer without a text where that is the sentence of the suggestion, or where nothing is accepted."""
        same = self.text is not None and self.text.split() == sentence_of(suggestion).split()
        return replace(self, text=None) if same or self.decision == "decline" else self

    def is_of(self, suggestion: KeptSuggestion) -> bool:
        """Whether the suggestion is as the person saw it."""
        return is_digest(self.seen[suggestion.id], seen_of(suggestion))


@router.get("/inbox")
def inbox(page: PageThere, state: StateThere, engine: Reading, wanted: Wanted) -> Response:
    """The suggestions that wait, with the first one of them open."""
    return inbox_at(page, state, engine, wanted, "")


@router.get("/inbox/{suggestion_id}")
def inbox_at(page: PageThere, state: StateThere, engine: Reading, wanted: Wanted, suggestion_id: str) -> Response:
    """Show a suggestion beside the others; of a decided one its outcome."""
    undecided, named = UndecidedSuggestions.read(state, engine), suggestion_id
    still, acts = undecided.known, undecided.acts
    known = still.values()
    meant = wanted.sort_suggestions(engine, known)
    ids = [suggestion.id for suggestion in meant]
    if named in still and named not in ids:  # the filters do not keep it
        meant, ids = [still[named], *meant], [named, *ids]
    at = ids.index(named) if named in ids else (wanted.page - 1) * SIZE
    part = part_of(meant, at // SIZE + 1, SIZE)
    at = min(at, len(ids) - 1)
    kinds = {
        kind: kind_in_words(page, form, kind)
        for kind, form in sorted({(suggestion.shown.kind, suggestion.about.form) for suggestion in known})
    }
    values = {
        "part": part,
        "groups": [
            [(suggestion.shown, words) for suggestion, words in group]
            for _, group in groupby(_with_words(part.items), key=lambda line: _session_of(line[0]))
        ],
        "one": _open_suggestion(engine, page, meant, at) if meant else None,
        "at": at,
        "before": ids[at - 1] if at > 0 else "",
        "after": ids[at + 1] if at + 1 < len(ids) else "",
        "opened": named in ids,
        "any": bool(known),
        "kinds": kinds,
        "agents": {agent: agent for agent in sorted(map(agent_of, known)) if agent},
        "projects": short_names(suggestion.project for suggestion in known),
        "orders": get_args(Order),
        "wanted": wanted,
        "answered": _describe_answer(page, engine, wanted, named, undecided),
        "under_way": [(acts[one.id], words) for one, words in _with_words(engine.ledger.suggestions.find([*acts]))],
        "notice": "",
    }
    return page.show("inbox.html", values)


@router.post("/inbox")
def decide_several(page: PageThere, state: StateThere, wanted: Wanted, form: InBody[SeveralForm]) -> Response:
    """Accept or decline the ticked suggestions; when a suggestion has changed meanwhile, all are left alone."""
    if not form.chosen:
        raise NothingChosen
    chosen = {name: seen for name, _, seen in (choice.partition(".") for choice in form.chosen)}
    return _decide(page, state, wanted, GivenAnswer(chosen, form.decision))


@router.post("/inbox/undo")
def undo_answer(state: StateThere, wanted: Wanted, form: InBody[TakeBackForm]) -> Response:
    """Take an answer back, if it is as it was shown; then what waits again."""
    with state.running(looking=False) as engine:
        same = is_digest(form.seen, digest_of(answer_about(engine, form.done, form.run).names))
        if same and state.acts:
            numbers = state.acts.ask(*(TakeBackAct(id=name, run_ids=tuple(form.run)) for name in form.done))
            return seen_other(wanted.path("", *_asked_fields(form.done, numbers)))
        if same:
            take_back(engine, form.done, form.run, _WAIT_SECONDS)
        still = {suggestion.id for suggestion in waiting(engine)}
    name = next((name for name in form.done if name in still), "")
    return seen_other(wanted.path(name, ("notice", "undone" if same else "not_undone")))


@router.post("/inbox/{suggestion_id}")
def decide(
    page: PageThere,
    state: StateThere,
    wanted: Wanted,
    suggestion_id: str,
    form: InBody[DecisionForm],
) -> Response:
    """Accept a suggestion, in other words too, or decline it; one that has changed meanwhile is left alone."""
    return _decide(page, state, wanted, GivenAnswer({suggestion_id: form.seen}, form.decision, form.text))


def _decide(page: Page, state: HttpState, wanted: InboxForm, given: GivenAnswer) -> Response:
    """Decide about suggestions as they were seen, and open the next one."""
    try:
        with state.running() as engine:
            undecided = UndecidedSuggestions.read(state, engine)
            known = undecided.known
            if gone := [name for name in given.seen if name not in known]:
                return _tell_meanwhile(page, engine, wanted, given, {name: undecided.acts.get(name) for name in gone})
            meant = [known[name] for name in given.seen]
            given = given.without_same_text(meant[0])
            if changed := [suggestion for suggestion in meant if not given.is_of(suggestion)]:
                return error_document(
                    page.request,
                    problem_for(page.request, PageOutdated()),
                    given.text or "",
                    [words for _, words in _with_words(changed)],
                )
            order = [suggestion.id for suggestion in wanted.sort_suggestions(engine, known.values())]
            about = _carry_out(state, engine, meant, given)
            still = {one.id for one in waiting(engine)} - given.seen.keys() - undecided.acts.keys()
    except PipelineError as error:
        if not given.text:
            raise
        return error_document(page.request, problem_for(page.request, error), given.text)
    last = max((order.index(name) for name in given.seen if name in order), default=-1)
    following = (name for name in [*order[last + 1 :], *order[: max(last, 0)][::-1]] if name in still)
    return seen_other(wanted.path(next(following, ""), *about))


def _carry_out(
    state: HttpState, engine: Engine, meant: Sequence[KeptSuggestion], given: GivenAnswer
) -> list[tuple[str, str]]:
    """Accept or decline suggestions, or ask for it; the fields of an address that tells of it."""
    names = [one.id for one in meant]
    words = own_words(engine, meant[0], given.text) if given.text is not None else ""
    if state.acts:
        return _asked_fields(names, state.acts.ask(*given.acts_about(meant, words)))
    is_declined = given.decision == "decline"
    notice, run_ids = ("declined", decline(engine, meant)) if is_declined else _accept(engine, meant, words)
    return [("notice", notice), *(("done", name) for name in names), *(("run", name) for name in run_ids[:SIZE])]


def _accept(engine: Engine, meant: Sequence[KeptSuggestion], words: str) -> tuple[str, Sequence[str]]:
    """Accept suggestions; the name of a notice, and the runs that did it, which can be undone."""
    outcomes = accept(engine, meant, words, _WAIT_SECONDS)
    report = accepted_report(meant, outcomes)
    still = require_written(engine, report, outcomes)
    if report.left:
        return "kept", report.run_ids
    if not all(outcome.ending in SUCCESSES for outcome in outcomes):
        return "unfinished", report.run_ids
    return "partly" if still else "accepted", report.run_ids


def _asked_fields(names: Iterable[str], numbers: Iterable[int]) -> list[tuple[str, str]]:
    """The fields of an address that tells of acts about suggestions."""
    return [("notice", _ASKED), *(("done", name) for name in names), *(("act", str(number)) for number in numbers)]


def _tell_meanwhile(
    page: Page, engine: Engine, wanted: InboxForm, given: GivenAnswer, gone: Mapping[str, FleetActReport | None]
) -> Response:
    """Say what became of suggestions that wait no longer; an answer that was given already is no fault.

    Those that are decided, and wait for a worker, have their act.
    """
    became = {name: act.kind if act else _became(engine, name) for name, act in gone.items()}
    kept = engine.ledger.suggestions.find([*gone])
    text = given.without_same_text(kept[0]).text if kept else given.text
    if text is None and set(became.values()) <= given.repeated_outcomes:
        return seen_other(wanted.path(next(iter(gone))))
    words = {suggestion.id: sentence_of(suggestion)[:_SHORT] for suggestion in kept}
    said = [" ".join((page.word("inbox.meanwhile", how), words.get(name, ""))) for name, how in became.items()]
    return error_document(page.request, problem_for(page.request, PageOutdated()), text or "", said)


def _became(engine: Engine, name: str) -> str:
    """The outcome of a suggestion that waits no longer: `declined`, `accepted`, `kept` for later, or `gone`."""
    answer = answer_about(engine, [name])
    if name in read_declined(engine.workspace).ids:
        return "declined"
    if answer.runs or answer.asked:
        return "kept" if answer.asked else "accepted"
    if not engine.ledger.suggestions.find([name]):
        raise UnknownSuggestion(name)
    return "gone"


def _describe_answer(
    page: Page, engine: Engine, wanted: InboxForm, named: str, undecided: UndecidedSuggestions
) -> dict[str, object]:
    """The answer that a document tells of: the one before it, or that about the suggestion it is asked for.

    Its sentence and its words; what is `left` waits on all the same. Without `seen` nothing takes it back, as long as
    its `acts` are under way.
    """
    notice, still = page.request.query_params.get("notice", ""), undecided.known
    done = wanted.done or ([named] if named and named not in still else [])
    if not done:
        nothing = {"words": (), "left": (), "done": (), "run_ids": (), "acts": (), "seen": ""}
        return {"sentence": page.notice, **nothing} if page.notice else {}
    acts = [undecided.acts[name].act for name in done if name in undecided.acts]
    if acts:
        notice = _ASKED
    elif still.keys() >= set(done):  # it was taken back since, or an act was refused
        notice = "waits_again" if wanted.act else "undone"
    elif not wanted.done or notice == _ASKED:
        notice = _became(engine, next(name for name in done if name not in still))
    left = [still[name] for name in done if name in still and notice not in {"undone", "waits_again"}]
    kept = [one for one in engine.ledger.suggestions.find(done) if one.id not in {one.id for one in left}]
    answer, books = answer_about(engine, done, wanted.run), state_of(page.request).books
    return {
        "sentence": page.text("inbox.meanwhile.gone") if notice == "gone" else page.notice_named(notice),
        "words": [_words_as_answered(engine, suggestion, books)[:_SHORT] for suggestion in kept],
        "left": [words for _, words in _with_words(left)],
        "done": done,
        "run_ids": wanted.run or [run.run_id for run in answer.runs],
        "acts": acts or wanted.act,
        "seen": digest_of(answer.names) if answer.names and not acts else "",
    }


def _words_as_answered(engine: Engine, suggestion: KeptSuggestion, books: EntryBooks) -> str:
    """The words of a suggestion, or the person's own in which it was accepted."""
    about = suggestion.about
    if isinstance(about, StandingEntry) and (place := books.of(engine).counting(about.entry.id)):
        return place.entry.conclusion
    return accepted_words(engine, suggestion.id) or sentence_of(suggestion) or replaced_words(suggestion)


def _with_words(suggestions: Iterable[KeptSuggestion]) -> Iterator[tuple[KeptSuggestion, str]]:
    """Suggestions, each with the beginning of its words."""
    return (
        (suggestion, (sentence_of(suggestion) or replaced_words(suggestion))[:_SHORT]) for suggestion in suggestions
    )


def _session_of(suggestion: KeptSuggestion) -> str:
    """The session that a suggestion came from, or the suggestion itself where nobody said it."""
    shown = suggestion.shown
    return shown.source.session_id if shown.quote else shown.id


def kind_in_words(page: Page, form: str, kind: str) -> str:
    """The kind of a suggestion in the reader's language: of an entry, of a fact, or an agent with what would change."""
    before, _, last = kind.rpartition(" ")
    if form == "fact":
        return page.word("page.kinds", last)
    return f"{before}: {page.word('inbox.operations', last)}" if before else page.word("page.kinds", kind)


def _open_suggestion(engine: Engine, page: Page, meant: Sequence[KeptSuggestion], at: int) -> dict[str, object]:
    """A suggestion in the reader: why it waits and whose word it is in the reader's language.

    `sentence` would be written in place of `old`; `said` are the messages around, `None` when they cannot be read.
    `visible` is the sentence with signs for characters that a field does not show, where it has some. `talk` is the id
    of a conversation in progress. `alike` are the suggestions that may get the same answer, this one among them.
    """
    one = meant[at]
    shown, about = one.shown, one.about
    group = [other for other in meant if (_session_of(other), other.shown.kind) == (_session_of(one), shown.kind)]
    if len(group) == 1:
        group = [other for other in meant if (other.reason, other.about.form) == (one.reason, about.form)]
    stores = {source.root_name for source in engine.settings.transcript_sources if source.kind == _STORE}
    first = max(0, min(group.index(one) - _TOGETHER // 2, len(group) - _TOGETHER))
    sentence, (name, colon, value) = sentence_of(one), one.reason.partition(": ")
    return {
        "shown": shown,
        "kind": kind_in_words(page, about.form, shown.kind),
        "sentence": sentence,
        "visible": shown_text if (shown_text := visible(sentence)) != sentence else "",
        "old": replaced_words(one),
        "link": getattr(about, "kind", "") if shown.form == "link" else "",
        "target": getattr(about, "target", ""),
        "longest": (_LONGEST_LINE if shown.form in {"change", "fact"} else _LONGEST) if may_edit(one) else 0,
        "lines": difference(one) if shown.form in {"new", "entry"} else [],
        "seen": seen_of(one),
        "agent": agent_of(one),
        "why": page.word("inbox.reasons", name) + colon + value,
        "word": page.word("page.trusts", word_of(one)),
        "said": words_around(engine, one),
        "talk": shown.source.session_id if shown.source.session_path.partition(":")[0] in stores else "",
        "alike": [(other.id, seen_of(other), words) for other, words in _with_words(group[first : first + _TOGETHER])],
    }
