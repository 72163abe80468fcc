"""Deciding about suggestions: what is accepted is written or kept, what is declined does not come back."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from pipeline.backfill.plan import Planned, work_through
from pipeline.clock import day_start
from pipeline.corrections.correction import DECLINING, KEEPING, carried_out, holding, rewritten
from pipeline.corrections.entities import NAMINGS, merge
from pipeline.corrections.links import unlink_all
from pipeline.corrections.undo import undo
from pipeline.corrections.undo_blocks import take_out
from pipeline.engine.context import Engine
from pipeline.engine.partitioning.base import partition_of
from pipeline.engine.runner import Runner
from pipeline.engine.suggestions import settle_declined, waiting
from pipeline.errors.corrections import SameEntity
from pipeline.errors.service import NothingWritten
from pipeline.ledger.requests import Request
from pipeline.ledger.runs import RunRecord
from pipeline.ledger.suggestions import KeptSuggestion
from pipeline.reports.agent_list import count_wake_ups
from pipeline.reports.entries import list_entries
from pipeline.scheduling.registry import jobs_named
from pipeline.workspace.declined import LOCK, PATH, allow_declined, note_declined, read_declined
from pipeline.workspace.locks import Waiting
from schemas.correction import CorrectedWords, CorrectionRequest
from schemas.entry import Trust
from schemas.memory_change import AcceptedChange
from schemas.outcome import SUCCESSES, Ending, Outcome
from schemas.reports.corrections import DecidedSuggestions
from schemas.suggestion import (
    AcceptedEntry,
    AcceptedFact,
    ProposedAlias,
    ProposedChange,
    ProposedCorrection,
    ProposedFact,
    StandingEntry,
    StandingLink,
)

_AT_ONCE = NAMINGS | {KEEPING}
"""Jobs by which a decision acts in a run of its own, which writes no new entry."""


def accepted_report(meant: Sequence[KeptSuggestion], outcomes: Sequence[Outcome]) -> DecidedSuggestions:
    """The report on accepted suggestions, for programs."""
    return DecidedSuggestions(
        decision="accepted",
        ids=tuple(suggestion.id for suggestion in meant),
        entries=tuple(name for outcome in outcomes for name in outcome.written),
        paths=tuple(dict.fromkeys(path for outcome in outcomes for path in outcome.paths)),
        run_ids=tuple(outcome.run_id for outcome in outcomes if outcome.written or outcome.job in _AT_ONCE),
        left=any(outcome.ending is Ending.LOCKED for outcome in outcomes),
    )


def declined_report(meant: Sequence[KeptSuggestion], run_ids: Sequence[str]) -> DecidedSuggestions:
    """The report on declined suggestions, for programs; the runs of `run_ids` took out entries and links that stood."""
    return DecidedSuggestions("declined", tuple(suggestion.id for suggestion in meant), run_ids=tuple(run_ids))


LOCK_SECONDS = 10.0
_WAIT = 10.0  # seconds for a run that is at work; what is accepted is kept, and written by the next run


def accept(
    engine: Engine, suggestions: Sequence[KeptSuggestion], text: str = "", wait_seconds: float = _WAIT
) -> list[Outcome]:
    """Accept suggestions, in the person's own `text` if there is one; how the runs ended that write them.

    All of them are kept before the first is written. What is not written now, for another process is at work for
    longer than `wait_seconds`, is written by the next run. What stands already is kept by one run, which `memory undo`
    takes back.

    Raises:
        Held: somebody is at work on the files, so nothing that stands was decided.
    """
    new, standing = _split_by_novelty(suggestions)
    kept = [_keep(engine, standing, text)] if standing else []
    for pair in (suggestion.about for suggestion in new if isinstance(suggestion.about, ProposedAlias)):
        with suppress(SameEntity):  # the pairs before have put it together
            kept.append(merge(engine, pair.name, pair.alias).outcome)
    requests = [request for suggestion in new if (request := _request(engine, suggestion, text))]
    with engine.ledger.store.transaction():
        for request in requests:
            engine.ledger.requests.keep(request)
    jobs = {job.name: job for job in jobs_named(list({request.job for request in requests}), engine.jobs)}
    planned = [Planned(jobs[request.job], partition_of(request)) for request in requests]
    outcomes = list(work_through(Runner(engine), planned, wait_seconds=wait_seconds))
    count_wake_ups(engine, outcomes)
    return [*kept, *outcomes]


def require_written(engine: Engine, report: DecidedSuggestions, outcomes: Sequence[Outcome]) -> set[str]:
    """The accepted suggestions that wait still, though the runs that were to write them ended well.

    Raises:
        NothingWritten: all do, so nothing was written.
    """
    if report.left or not all(outcome.ending in SUCCESSES for outcome in outcomes):
        return set()
    still = set(report.ids) & {suggestion.id for suggestion in waiting(engine)}
    if still == set(report.ids):
        raise NothingWritten(list(dict.fromkeys(line for outcome in outcomes for line in outcome.notices)))
    return still


def decline(engine: Engine, suggestions: Sequence[KeptSuggestion]) -> list[str]:
    """Decline suggestions: `memory/declined.md` keeps them away, and none of their words.

    An entry that stands leaves its file, and a link is taken apart: the ids of these runs, which `memory undo` takes
    back.

    Raises:
        WorkspaceError: another process declines for too long, or is at work on the files; the system refuses.
        LinkOfPerson: a link stands in an entry that a person has changed since.
    """
    new, standing = _split_by_novelty(suggestions)
    entries = [suggestion for suggestion in standing if isinstance(suggestion.about, StandingEntry)]
    links = (suggestion.about for suggestion in standing if isinstance(suggestion.about, StandingLink))
    pairs = [(link.entry.id, link.target) for link in links]
    if new:
        with engine.locks.hold([LOCK], "decline", engine.clock.now(), Waiting(LOCK_SECONDS)):
            _note(engine, new)
            settle_declined(engine)
    runs = [unlink_all(engine, pairs).run_id] if pairs else []
    return [*runs, *([_remove(engine, entries).run_id] if entries else [])]


@dataclass(frozen=True)
class RevocableAnswer:
    """The decision of a person about suggestions, as far as it can be taken back.

    `runs` carried it out and stand, the newest first. `asked` are requests that nobody has carried out yet; of what is
    `declined` the words are kept still.
    """

    runs: tuple[RunRecord, ...]
    asked: tuple[Request, ...]
    declined: tuple[KeptSuggestion, ...]

    @property
    def names(self) -> list[str]:
        """The ids of what would be taken back; none where nothing can be."""
        asked, declined = (request.id for request in self.asked), (suggestion.id for suggestion in self.declined)
        return [*(run.run_id for run in self.runs), *asked, *declined]


def answer_about(engine: Engine, ids: Sequence[str], run_ids: Sequence[str] = ()) -> RevocableAnswer:
    """The answer about suggestions of these ids, also by runs that acted at once."""
    ledger, listed = engine.ledger, read_declined(engine.workspace).ids
    asked = [request for name in ids for request in ledger.requests.beginning_with(_request_prefix(name))]
    known = [*map(ledger.runs.find, run_ids), *(run for request in asked for run in ledger.runs.of_key(request.id))]
    runs = {run.run_id: run for run in known if run and not run.undone and ledger.changes.of_run(run.run_id)}
    open_requests = (request for request in asked if not ledger.keyed.find(request.job, partition_of(request)))
    return RevocableAnswer(
        tuple(sorted(runs.values(), key=lambda run: run.began, reverse=True)),
        tuple(open_requests),
        tuple(one for one in ledger.suggestions.find(ids) if one.id in listed and one.about.is_new),
    )


def accepted_words(engine: Engine, suggestion_id: str) -> str:
    """The person's own words in which a suggestion was accepted last; empty where they are its own."""
    asked = engine.ledger.requests.beginning_with(_request_prefix(suggestion_id))
    body = json.loads(asked[-1].body or "{}") if asked else {}
    return str(body.get("text") or body.get("words", {}).get("conclusion", ""))


def take_back(engine: Engine, ids: Sequence[str], run_ids: Sequence[str], wait_seconds: float = _WAIT) -> None:
    """Take back an answer, so that its suggestions wait again.

    Raises:
        UndoRefused: a later run rests on what was written.
        Held: somebody is at work on the files.
    """
    now, answer = engine.clock.now(), answer_about(engine, ids, run_ids)
    jobs = jobs_named(list({request.job for request in answer.asked}), engine.jobs) if answer.asked else []
    if jobs:
        locks = [name for job in jobs for name in (job.name, *job.locks)]
        with engine.locks.hold(locks, "undo", now, Waiting(wait_seconds)), engine.ledger.store.transaction():
            for request in answer.asked:
                engine.ledger.requests.drop_open(request.id)
        answer = answer_about(engine, ids, run_ids)  # a run may have carried it out meanwhile
    for run in answer.runs:
        undo(engine, run.run_id)
    if answer.declined:
        with engine.locks.hold([LOCK], "undo", now, Waiting(LOCK_SECONDS)):
            allow_declined(engine.workspace, [suggestion.id for suggestion in answer.declined])
            settle_declined(engine)


def _request_prefix(suggestion_id: str) -> str:
    """The begin of the ids of the requests that write an accepted suggestion."""
    return f"accept-{suggestion_id}-"


def _split_by_novelty(suggestions: Sequence[KeptSuggestion]) -> tuple[list[KeptSuggestion], list[KeptSuggestion]]:
    """The new ones, and those about what stands."""
    new = [suggestion for suggestion in suggestions if suggestion.about.is_new]
    return new, [suggestion for suggestion in suggestions if not suggestion.about.is_new]


def _keep(engine: Engine, suggestions: Sequence[KeptSuggestion], text: str) -> Outcome:
    """Let entries hold again, and links stand."""
    about = [
        suggestion.about for suggestion in suggestions if isinstance(suggestion.about, StandingEntry | StandingLink)
    ]
    with holding(engine, KEEPING) as run_id:

        def work() -> Mapping[str, object]:
            before = {place.entry.id: place.entry for place in list_entries(engine)}
            after = dict(before)
            for standing in about:
                if standing.entry.id in after:
                    after[standing.entry.id] = standing.as_accepted(after[standing.entry.id], text)
            paths = rewritten(engine, run_id, (before, after))
            kept = (standing.entry.id for standing in about if isinstance(standing, StandingEntry))
            return {"paths": tuple(paths), "items": tuple(kept)}

        return carried_out(engine, KEEPING, run_id, work)


def _remove(engine: Engine, suggestions: Sequence[KeptSuggestion]) -> Outcome:
    """Take entries out of their files."""
    with holding(engine, DECLINING) as run_id:

        def work() -> Mapping[str, object]:
            _note(engine, suggestions)
            paths = take_out(
                engine, run_id, {one.about.entry.id for one in suggestions if isinstance(one.about, StandingEntry)}
            )
            return {"paths": (PATH, *paths), "items": tuple(suggestion.id for suggestion in suggestions)}

        return carried_out(engine, DECLINING, run_id, work)


def _note(engine: Engine, suggestions: Sequence[KeptSuggestion]) -> None:
    """List suggestions as declined. The caller holds the lock `declined`."""
    listed = [(suggestion.id, suggestion.identity, suggestion.about.words) for suggestion in suggestions]
    note_declined(engine.workspace, listed, engine.local_now().date())


def _request(engine: Engine, suggestion: KeptSuggestion, text: str) -> Request | None:
    """The request that writes what was accepted; `None` for names, which are put together at once."""
    now, about = engine.clock.now(), suggestion.about
    # Another one at each time: what was accepted, and undone, may be accepted again.
    request_id = f"{_request_prefix(suggestion.id)}{engine.new_run_id(now)}"
    if isinstance(about, ProposedChange):
        wanted = AcceptedChange(change=about.change, identity=suggestion.identity, text=text)
        return Request(request_id, suggestion.job, about.agent, wanted.model_dump_json(), asked=now)
    if isinstance(about, ProposedFact):
        body = AcceptedFact(fact=about.fact, identity=suggestion.identity, text=text).model_dump_json()
        return Request(request_id, suggestion.job, "", body, asked=now, about=day_start(about.fact.day, engine.zone))
    if isinstance(about, ProposedCorrection):
        words = CorrectedWords(title="", conclusion=text, quote=text) if text else about.words_of
        correction = CorrectionRequest(
            corrects=about.entry.id,
            words=words,
            at=engine.local_now().replace(microsecond=0),
            trust=Trust.OWNER,
            identity=suggestion.identity,
        )
        return Request(request_id, suggestion.job, "", correction.model_dump_json(), asked=now, about=about.entry.date)
    if isinstance(about, ProposedAlias):
        return None
    body = AcceptedEntry(entry=about.entry, identity=suggestion.identity, text=text).model_dump_json()
    return Request(request_id, suggestion.job, "", body, asked=now, about=about.entry.date)
