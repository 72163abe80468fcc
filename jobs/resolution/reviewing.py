"""Entries that were written before, read again: those that today's reading would not write, and why."""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from jobs.resolution.drafting import parted
from jobs.resolution.validation import Claim, Reason, check, objection, place_of
from pipeline.entries.provenance import is_of_message
from pipeline.job import OFFLINE, Run
from schemas.entry import Entry, Trust
from schemas.extraction import Candidate
from schemas.transcript import Message, Session, id_in_file


class Unread(StrEnum):
    """Why today's reading does not come to an entry, beside the reasons of a candidate."""

    MACHINE = "machine"
    """Only machines speak in the session."""

    NOT_SETTLED = "not_settled"
    """The words are the owner's, and settle nothing."""


def objections(run: Run, read: Iterable[tuple[Session, Candidate]]) -> dict[str, str]:
    """The entries of a run that would not be written today, by id, with the reason.

    `read` is what the offline reading comes to today. Of entries that a model read, only the speaker is judged: their
    run has another way.
    """
    checked = [check(candidate, session, run.window) for session, candidate in read]
    claims = [claim for claim in checked if isinstance(claim, Claim)]
    sure, doubtful = parted(run, claims)
    judged = ((entry, _objection(run, entry, sure, doubtful)) for entry in run.entries)
    return {entry.id: reason for entry, reason in judged if reason}


def _objection(run: Run, entry: Entry, sure: Sequence[Claim], doubtful: Sequence[tuple[Claim, str]]) -> str:
    """Why an entry would not be written; empty when it would be, in whatever words."""
    claim = _claimed(entry, run.transcripts)
    if isinstance(claim, str):
        return claim
    if reason := objection(claim):
        return reason.value
    if run.way_of(claim.session.sources) != OFFLINE or any(_same(claim, other) for other in sure):
        return ""
    return next((why for other, why in doubtful if _same(claim, other)), Unread.NOT_SETTLED.value)


def _claimed(entry: Entry, sessions: Iterable[Session]) -> Claim | str:
    """The entry as a claim on its session, as that is read today; a reason where the message is not in it."""
    named = id_in_file(entry.source.session_id)
    reason = Reason.OUTSIDE_SESSION.value
    for session in (session for session in sessions if id_in_file(session.session_id) == named):
        if session.machine:
            reason = Unread.MACHINE.value
        elif message := next(_messages(entry.source.entry_ids[:1], session), None):
            others = {one.number: one for one in _messages(entry.source.entry_ids[1:], session)}
            supports = tuple(one for number, one in sorted(others.items()) if number != message.number)
            candidate = _candidate(entry, message, [one.number for one in supports])
            return Claim(candidate, session, message, place_of(entry.quote, message) or (0, 0), supports)
    return reason


def _messages(entry_ids: Iterable[str], session: Session) -> Iterator[Message]:
    """The messages of these record ids, in their order."""
    for entry_id in entry_ids:
        yield from (message for message in session.messages if is_of_message(entry_id, message))


def _candidate(entry: Entry, message: Message, supports: Iterable[int]) -> Candidate:
    """What a reader would have to answer for this entry. Nothing of it is cut, though earlier versions wrote longer."""
    return Candidate.model_construct(
        kind=entry.kind,
        title=entry.title,
        quote=entry.quote,
        quote_number=message.number,
        support_numbers=tuple(supports),
        confirmation="accepted" if entry.trust is Trust.ACCEPTED else "stated",
        why=entry.why,
        finding=entry.finding,
        conclusion=entry.conclusion,
        impact=entry.impact,
        confidence=entry.confidence,
    )


def _same(one: Claim, other: Claim) -> bool:
    """Whether two claims quote words of one message that overlap: they may be put in other words."""
    sessions = one.session.session_id == other.session.session_id
    (start, end), (first, last) = one.span, other.span
    return sessions and one.message.number == other.message.number and start < last and first < end
