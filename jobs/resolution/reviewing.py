"""A second reading of written entries: the entries that today's reading would not write, with reasons."""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from jobs.resolution.drafting import separate_doubtful
from jobs.resolution.validation import Claim, Reason, check, objection, place_of
from pipeline.entries.provenance import is_of_message
from pipeline.job import OFFLINE, Run
from schemas.entry import Entry, Trust
from schemas.extraction import Candidate
from schemas.transcript import Message, Session, id_in_file


class Unread(StrEnum):
    """The reason for which today's reading would not write an entry, in addition to the reasons of a candidate."""

    MACHINE = "machine"
    """Only machines speak in the session."""

    NOT_SETTLED = "not_settled"
    """The words are the owner's, and settle nothing."""


def objections(run: Run, read: Iterable[tuple[Session, Candidate]]) -> dict[str, str]:
    """The reasons for which entries of a run would not be written today, by entry id.

    `read` are today's candidates without a model. Of entries that a model read, only the speaker is judged.
    """
    checked = [check(candidate, session, run.window) for session, candidate in read]
    claims = [claim for claim in checked if isinstance(claim, Claim)]
    sure, doubtful = separate_doubtful(run, claims)
    judged = ((entry, _objection_to(run, entry, sure, doubtful)) for entry in run.written.entries)
    return {entry.id: reason for entry, reason in judged if reason}


def _objection_to(run: Run, entry: Entry, sure: Sequence[Claim], doubtful: Sequence[tuple[Claim, str]]) -> str:
    """The reason for which an entry would not be written; empty when it would be, in whatever words."""
    claim = _claim_of(entry, run.inputs.transcripts)
    if isinstance(claim, str):
        return claim
    if reason := objection(claim):
        return reason.value
    if run.models.way_of(claim.session.sources) != OFFLINE or any(_quote_same_words(claim, other) for other in sure):
        return ""
    return next((why for other, why in doubtful if _quote_same_words(claim, other)), Unread.NOT_SETTLED.value)


def _claim_of(entry: Entry, sessions: Iterable[Session]) -> Claim | str:
    """The entry as a claim on its session, as that is read today; a reason where the message is not in it."""
    named = id_in_file(entry.source.session_id)
    reason = Reason.OUTSIDE_SESSION.value
    for session in (session for session in sessions if id_in_file(session.session_id) == named):
        if session.machine:
            reason = Unread.MACHINE.value
        elif message := next(_find_messages(entry.source.entry_ids[:1], session), None):
            others = {other.number: other for other in _find_messages(entry.source.entry_ids[1:], session)}
            supports = tuple(other for number, other in sorted(others.items()) if number != message.number)
            # Its texts are not checked: earlier versions wrote longer texts.
            candidate = Candidate.model_construct(
                kind=entry.kind,
                title=entry.title,
                quote=entry.quote,
                quote_number=message.number,
                support_numbers=tuple(other.number for other in supports),
                confirmation="accepted" if entry.trust is Trust.ACCEPTED else "stated",
                why=entry.why,
                finding=entry.finding,
                conclusion=entry.conclusion,
                impact=entry.impact,
                confidence=entry.confidence,
            )
            return Claim(candidate, session, message, place_of(entry.quote, message) or (0, 0), supports)
    return reason


def _find_messages(entry_ids: Iterable[str], session: Session) -> Iterator[Message]:
    """The messages of these record ids, in their order."""
    for entry_id in entry_ids:
        yield from (message for message in session.messages if is_of_message(entry_id, message))


def _quote_same_words(one: Claim, other: Claim) -> bool:
    """Whether two claims quote overlapping words of one message: their conclusions may differ."""
    sessions = one.session.session_id == other.session.session_id
    (start, end), (first, last) = one.span, other.span
    return sessions and one.message.number == other.message.number and start < last and first < end
