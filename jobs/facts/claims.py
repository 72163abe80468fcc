"""Candidates for facts as claims: each rests on words that the owner, or of deeds the assistant, said in the window."""

import hashlib
import json
from collections.abc import Collection
from dataclasses import dataclass, replace

from jobs.extraction.exchanges import own_words
from jobs.facts.mentions import hyphenate
from jobs.facts.reading import OWNER
from jobs.resolution.drafting import MODEL_LINE, OFFLINE_LINE, doubt_of, skip_for
from jobs.resolution.validation import Claim, Reason, Reservation, check, is_to_be_remembered
from pipeline.drafts import Skip
from pipeline.entries.provenance import Span, locate
from pipeline.entries.values.check import values_of
from pipeline.facts.names import same_name
from pipeline.facts.sections import parse_fact
from pipeline.job import OFFLINE, Run
from pipeline.markdown.item_names import item_id
from schemas.entry import Kind
from schemas.extraction import Candidate
from schemas.fact import FactCandidate, FactKind, FactWord
from schemas.outcome import Rejection
from schemas.transcript import MASK, Message, Origin, Session

_TITLE = 80
_MARK = "<!--"
_COMMON = 16
"""Hex digits of an identity that a copy of the session has in common with it."""


@dataclass(frozen=True)
class FactClaim:
    """A candidate with what it rests on: its quote stands at `span` of `message`. `names` are those in its message.

    With a `reason`, the name of a doubt, a person is to decide about it.
    """

    candidate: FactCandidate
    session: Session
    message: Message
    span: Span
    word: FactWord
    names: tuple[str, ...]
    reason: str = ""

    @property
    def identity(self) -> str:
        """The identity of the fact: of its kind, its place and the names as they were said."""
        candidate = self.candidate
        place = [candidate.kind.value, self.message.entry_ids, self.span, self.names]
        return _hash_of(place)[:_COMMON] + _hash_of([self.session.session_id, place])

    @property
    def quote(self) -> str:
        """The words that it rests on."""
        return self.message.text[slice(*self.span)]


def copy_part(identity: str) -> str:
    """The part of an identity that a copy of the session gives too."""
    return identity[:_COMMON]


def fact_id(identity: str, taken: Collection[str] = ()) -> str:
    """The id of a fact; `taken` are the ids in use. A copy of the session gives the same one."""
    return item_id("f", copy_part(identity), taken)


def check_fact(run: Run, session: Session, candidate: FactCandidate) -> FactClaim | Rejection | Skip:
    """Check a candidate: a claim, a rejection, or a skip."""
    if candidate.kind is FactKind.EXPERIENCE:
        return _check_deed(run, session, candidate)
    asked = candidate.asked
    stated = Candidate(
        kind=Kind.REMEMBER if asked else Kind.DECISION,
        title=candidate.text[:_TITLE],
        quote=candidate.quote,
        quote_number=candidate.quote_number,
        conclusion=candidate.text,
        confidence=candidate.confidence,
    )
    result = check(stated, session, run.window)
    if not isinstance(result, Claim):
        return result
    why = doubt_of(run, result)
    if why and (why != Reservation.BELOW_THE_LINE or run.refusals.declined(_claim_of(candidate, result).identity)):
        return skip_for(why)
    if _is_page_line(result.message, result.span):
        return _rejection(Reason.FOREIGN_TEXT, candidate, session)
    word = FactWord.ASKED if asked and is_to_be_remembered(result) else FactWord.OWNER
    return replace(_claim_of(candidate, result), word=word, reason=why)


def _claim_of(candidate: FactCandidate, claim: Claim) -> FactClaim:
    names = _names_of(candidate, claim.message)
    return FactClaim(candidate, claim.session, claim.message, claim.span, FactWord.OWNER, names)


def _check_deed(run: Run, session: Session, candidate: FactCandidate) -> FactClaim | Rejection | Skip:
    """Check a deed of the assistant: told in its own words, without a secret."""
    message = next((message for message in session.messages if message.number == candidate.quote_number), None)
    if message and message.time not in run.window:
        return Skip("outside_window")
    span = locate(candidate.quote.strip(), message) if message else None
    if message is None or span is None:
        return _rejection(Reason.QUOTE_NOT_FOUND if message else Reason.OUTSIDE_SESSION, candidate, session)
    if reason := _objection(candidate, message, span):
        return _rejection(reason, candidate, session)
    offline = run.models.way_of(session.sources) == OFFLINE
    if session.routine or candidate.confidence < (OFFLINE_LINE if offline else MODEL_LINE):
        return Skip("not_sure")
    if not offline and values_of(session, [message]).unsaid([candidate.text]):
        return Skip(Reservation.UNSAID_VALUE.value)
    return FactClaim(candidate, session, message, span, FactWord.AGENT, _names_of(candidate, message))


def _objection(candidate: FactCandidate, message: Message, span: Span) -> Reason | None:
    """The reason for which the words at a place are no report of the assistant's own deed."""
    if message.origin is not Origin.ASSISTANT:
        return Reason.UNTRUSTED_SUPPORT
    if own_words(message)[slice(*span)] != candidate.quote.strip() or _is_page_line(message, span):
        return Reason.FOREIGN_TEXT
    if not message.entry_ids:
        return Reason.MISSING_FIELD
    return Reason.SECRET if MASK * 2 in candidate.quote + candidate.text else None


def _names_of(candidate: FactCandidate, message: Message) -> tuple[str, ...]:
    """The names that stand in the message, and the owner's."""
    said = same_name(message.text)
    names = (hyphenate(name) for name in candidate.entities)
    return tuple(dict.fromkeys(name for name in names if name and (name == OWNER or same_name(name) in said)))


def _is_page_line(message: Message, span: Span) -> bool:
    """Whether the words stand in a line that is written as facts are: somebody copied it out of a page."""
    start = message.text.rfind("\n", 0, span[0]) + 1
    end = message.text.find("\n", span[1])
    line = message.text[start : end if end >= 0 else len(message.text)].strip()
    return _MARK in line or parse_fact(line, message.time.date()) is not None


def _rejection(reason: Reason, candidate: FactCandidate, session: Session) -> Rejection:
    detail = "" if reason is Reason.SECRET else " ".join(candidate.quote.split())[:_TITLE]
    return Rejection(reason=reason.value, session_id=session.session_id, number=candidate.quote_number, detail=detail)


def _hash_of(parts: object) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
