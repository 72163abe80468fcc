"""Correcting an entry: a person's words take the place of its own, and these stay as history."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from pipeline.agents.journal import one_line
from pipeline.backfill.plan import Planned, work_through
from pipeline.engine.context import Engine
from pipeline.engine.partitioning.base import partition_of
from pipeline.engine.runner import Runner
from pipeline.engine.suggestions import keep
from pipeline.entries.standing import Fold
from pipeline.errors import UnknownEntry
from pipeline.errors.corrections import (
    LONGEST,
    AlreadyForgotten,
    NotInForce,
    NotOurs,
    NotWritten,
    NoWords,
    SaidAlready,
    SecretWords,
    TooManyWords,
)
from pipeline.job import JobName
from pipeline.ledger.requests import Request
from pipeline.ledger.suggestions import KeptSuggestion
from pipeline.reports.entries import entry_named, fold_entries, list_entries
from pipeline.scheduling.registry import jobs_named
from pipeline.workspace.forgotten import read_forgotten
from schemas.correction import CorrectedWords, CorrectionRequest, correction_identity
from schemas.entry import Entry, Status, Trust
from schemas.outcome import Ending, Outcome
from schemas.reports.corrections import CorrectedEntry
from schemas.suggestion import ProposedCorrection

_WAIT = 10.0  # seconds for a run that is at work; the request is kept, and carried out by the next run
_ENDS = ".。"


@dataclass(frozen=True)
class Correction:
    """A correction that can be made of the `entry` in force. An empty `title` is made of the words of `conclusion`."""

    entry: Entry
    conclusion: str
    title: str

    @property
    def changes_title_alone(self) -> bool:
        """Whether the words stay, under another title."""
        return self.conclusion == self.entry.conclusion

    @property
    def words(self) -> CorrectedWords:
        """The words to write: those around the old conclusion are not kept beside a new one."""
        entry = self.entry
        if not self.changes_title_alone:
            return CorrectedWords(title=self.title, conclusion=self.conclusion, quote=self.conclusion)
        around = {"why": entry.why, "finding": entry.finding, "impact": entry.impact}
        return CorrectedWords(title=self.title, conclusion=self.conclusion, quote=self.title, **around)


def correction(engine: Engine, given: str, words: str, title: str = "") -> Correction:
    """The correction of the entry with this id, of which the beginning is enough.

    Of a corrected entry it is the one of its last correction. Without `words` they stay, under another `title`.

    Raises:
        NameRefused: there is no such entry, or more than one.
        CorrectionRefused: there is no such entry, or more than one; it does not hold; the words cannot stand in it.
    """
    entry = entry_in_force(engine, given)
    conclusion = _spoken(engine, words, "the words") if words or not title else entry.conclusion
    heading = _spoken(engine, title, "the title") if title else ""
    certain = entry.trust.level > Trust.QUOTED.level  # of another one a person may say the same words, as their own
    if certain and conclusion.rstrip(_ENDS) == entry.conclusion.rstrip(_ENDS) and heading in {"", entry.title}:
        raise SaidAlready(entry.id)
    return Correction(entry, conclusion, heading)


def entry_in_force(engine: Engine, given: str) -> Entry:
    """The entry that a person may correct by this id.

    Raises:
        NameRefused: there is no such entry, or more than one.
        CorrectionRefused: there is no such entry, or more than one; it does not hold.
    """
    try:
        place = entry_named(engine, given)
    except UnknownEntry:
        if any(gone.entry_id == given for gone in read_forgotten(engine.workspace)):
            raise AlreadyForgotten(given) from None
        raise
    state = fold_entries(list_entries(engine))
    last = state.states[state.in_force(place.entry.id)]
    if last.entry.trust is Trust.UNVERIFIED:
        raise NotOurs(last.entry.id, place.path)
    if last.status is not Status.ACTIVE:
        raise NotInForce(last.entry.id, last.status, _holding(state, last.entry.id))
    return last.entry


def correct(engine: Engine, wanted: Correction) -> list[Outcome]:
    """Write a correction by one run, and render what shows its words; how the runs ended, that of the correction first.

    When another process is at work for too long, the next run writes it.

    Raises:
        NotWritten: the entry changed meanwhile.
    """
    now, [job] = engine.clock.now(), jobs_named([JobName.ENTRIES], engine.jobs)
    request_id = f"correct-{engine.new_run_id(now)}"
    at, entry_id = engine.local_now().replace(microsecond=0), wanted.entry.id
    body = CorrectionRequest(
        corrects=entry_id, words=wanted.words, at=at, trust=Trust.OWNER, identity=correction_identity(request_id)
    )
    request = Request(request_id, job.name, "", body.model_dump_json(), asked=now, about=wanted.entry.date)
    with engine.ledger.store.transaction():
        engine.ledger.requests.keep(request)
    outcomes = list(work_through(Runner(engine), [Planned(job, partition_of(request))], wait_seconds=_WAIT))
    if outcomes[0].ending is Ending.EMPTY:
        raise NotWritten(entry_id)
    return outcomes


def corrected_report(wanted: Correction, outcomes: Iterable[Outcome]) -> CorrectedEntry:
    """The report on a correction, for programs."""
    first, *rendered = outcomes
    return CorrectedEntry(
        id=first.written[0] if first.written else "",
        corrects=wanted.entry.id,
        before=wanted.entry.conclusion,
        conclusion=wanted.conclusion,
        run_id=first.run_id,
        undo=f"memory undo {first.run_id}",
        paths=tuple(dict.fromkeys(path for outcome in (first, *rendered) for path in outcome.paths)),
        left=not first.written,
    )


def _holding(state: Fold, entry_id: str) -> tuple[str, ...]:
    """The entries that hold in place of a replaced one, at the ends of its chains."""
    ends, seen, left = list[str](), {entry_id}, list(state.states[entry_id].superseded_by)
    while left:
        name = left.pop(0)
        if name not in seen:
            seen.add(name)
            later = state.states[name].superseded_by
            left += later
            ends += [] if later else [name]
    return tuple(ends)


def _spoken(engine: Engine, text: str, what: str) -> str:
    """Words of a person on one line, as they may stand in an entry."""
    words = one_line(text)
    if not any(map(str.isalnum, words)):
        raise NoWords(what)
    if len(words) > LONGEST:
        raise TooManyWords(what, len(words))
    if engine.catalog.mask_text(words) != words:
        raise SecretWords(what)
    return words


PROPOSED = "proposed"
"""The reason of a suggestion that an agent made."""


def propose(engine: Engine, entry_id: str, words: str, by: str) -> tuple[str, ...]:
    """Keep a correction as a suggestion; its id, or nothing where the same waits already or was declined.

    `by` is the agent that proposes it.

    Raises:
        NameRefused: there is no such entry, or more than one.
        CorrectionRefused: there is no such entry, or more than one; it does not hold; the words cannot stand in it.
    """
    wanted = correction(engine, entry_id, words)
    about = ProposedCorrection(entry=wanted.entry, words_of=wanted.words, by=by, at=engine.local_now())
    name = hashlib.sha256(f"{wanted.entry.id} {wanted.conclusion}".encode()).hexdigest()
    return keep(engine, [KeptSuggestion(JobName.ENTRIES, about, correction_identity(f"proposed {name}"), PROPOSED, "")])
