"""Proposals of agents, found in the owner's words of a session, and judged like all candidates.

The agent gives the owner's words and a conclusion. The words have to stand in one of its sessions of that time; the
conclusion is believed only as far as it was said.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import NamedTuple

from jobs.extraction.candidate_text import CONCLUSION_LIMIT, shorten
from jobs.extraction.exchanges import own_words
from jobs.extraction.second_look import SecondLook, look_again
from jobs.resolution.drafting import title_for, with_id
from jobs.resolution.same_thing import denies
from jobs.resolution.validation import Claim, Reason, objection, place_of, rejection, unsaid_value
from pipeline.drafts import Draft, JudgedProposal, Skip, SuggestionDraft
from pipeline.entries.provenance import Span
from pipeline.entries.voice.off_record import on_record
from pipeline.job import Run, WaitingProposal
from pipeline.language.text import terms
from schemas.entry import Entry, Source
from schemas.extraction import Candidate, DoubtedCandidate, ProposedCandidate, WordsDoubt
from schemas.memory_change import EntryProposal
from schemas.transcript import Message, Origin, Session

LONGEST_WAIT = timedelta(days=1)
"""The longest time that a proposal waits for its session to be read; then a person decides."""

ENOUGH = 4
"""Words of a quote that name something; with fewer it needs the proposal of the assistant that it answers."""

SURE, UNSURE = 0.8, 0.5
"""The confidence of a proposal, and the same where the words may settle nothing."""

NOT_READ, READ_BEFORE, SEVERAL_SESSIONS = "session_not_read", "proposed_late", "in_several_sessions"
"""Reasons of suggestions: no session of that time was read, its window was read before, or several hold the words."""

OFF_RECORD = "off_record"
"""The reason of a skip: the owner asked to keep the words out of memory."""

_SAID = 0.75
"""The share of the terms of a conclusion that have to stand in the messages that it rests on."""

_UNKNOWN = "unknown"


class QuotePlace(NamedTuple):
    """The place of the quote of a proposal: a session, the owner's message in it, and the span in its text."""

    session: Session
    message: Message
    span: Span


@dataclass
class ProposalVerdicts:
    """The verdicts on the proposals of a run; a proposal that goes on waiting has none."""

    candidates: list[tuple[Session, Candidate]] = field(default_factory=list)
    doubtful: list[tuple[Claim, str]] = field(default_factory=list)
    drafts: list[Draft] = field(default_factory=list)


def judge_proposals(run: Run) -> ProposalVerdicts:
    """Judge the proposals: candidates are those whose words stand in the window."""
    verdicts = ProposalVerdicts()
    for waiting in run.inputs.proposals:
        everywhere = list(_find_places(waiting))
        places = [place for place in everywhere if _is_on_record(place)]
        here = _place_in_window(run, places[0]) if len(places) == 1 else None
        if here:
            verdicts.candidates.append((here.session, _candidate(waiting.proposal, here)))
        elif everywhere and not places:
            verdicts.drafts.append(Skip(OFF_RECORD))
        elif waiting.proposal.at >= run.window.end:
            continue  # the window of the proposal itself tells more
        elif waiting.sessions and not places:
            where = waiting.sessions[0].session_id if len(waiting.sessions) == 1 else waiting.proposal.asker
            verdicts.drafts.append(rejection(Reason.QUOTE_NOT_FOUND, waiting.proposal.quote, where))
        elif waiting.proposal.at + LONGEST_WAIT > run.window.end:
            continue
        elif places:
            _leave_to_person(waiting.proposal, places, verdicts)
        else:
            verdicts.drafts.append(_suggest_without_session(run, waiting.proposal))
        verdicts.drafts.append(JudgedProposal(waiting.proposal.id))
    return verdicts


def _find_places(waiting: WaitingProposal) -> Iterator[QuotePlace]:
    """The last message of the owner with the quote, of each session; a copy of the same message does not count."""
    named = set[str]()
    for session in waiting.sessions:
        said = () if session.machine else reversed(session.conversation)
        owners = (message for message in said if message.origin is Origin.OWNER and message.time <= waiting.proposal.at)
        spans = ((message, _find_span(waiting.proposal.quote, message)) for message in owners)
        place = next((QuotePlace(session, message, span) for message, span in spans if span), None)
        if place and named.isdisjoint(place.message.names):
            named.update(place.message.names)
            yield place


def _is_on_record(place: QuotePlace) -> bool:
    """Whether the owner did not ask to keep the message out of memory."""
    return any(message.number == place.message.number for message in on_record(place.session).messages)


def _find_span(quote: str, message: Message) -> Span | None:
    """The span of a quote in a message; an agent may have changed its white space."""
    words = re.compile(r"\s+".join(map(re.escape, quote.split()))).search(message.text)
    return place_of(words[0], message) if words and words[0] else None


def _place_in_window(run: Run, place: QuotePlace) -> QuotePlace | None:
    """The place in its session up to the end of its piece; `None` when that is of another window, or not read yet."""
    name, time = place.session.session_id, place.message.time
    seen = next((session for session in run.inputs.transcripts if session.session_id == name), None)
    piece = next((piece for piece in seen.pieces if time in piece), None) if seen else None
    if seen is None or piece is None or time not in run.window:
        return None
    return place._replace(session=on_record(seen.before(piece.end)))


def _candidate(proposal: EntryProposal, place: QuotePlace) -> Candidate:
    """The proposal as a reader's candidate.

    The agent's text is the conclusion where all of it was said, else the owner's own words are.
    """
    look = look_again(place.session.conversation, place.message.number, place.span)
    plain = _candidate_with_words(proposal, place, proposal.text)
    own = _was_said(plain, place)
    taken = look.taken_proposal
    if taken and not (own and look.naming_words >= ENOUGH):
        message, refused = taken
        accepted = plain.model_copy(update={"support_numbers": (message.number,), "confirmation": "accepted"})
        if _was_said(accepted, place, message) and terms(accepted.conclusion).isdisjoint(refused):
            return _with_confidence(accepted, look, sure=True)
    if look.naming_words >= ENOUGH:
        return _with_confidence(plain if own else _candidate_with_words(proposal, place, plain.quote), look, sure=True)
    return _with_confidence(plain, look, sure=False) if own else _with_doubt(plain, WordsDoubt.NOT_UNDERSTOOD)


def _candidate_with_words(proposal: EntryProposal, place: QuotePlace, words: str) -> ProposedCandidate:
    quote, conclusion = place.message.text[slice(*place.span)], shorten(words, CONCLUSION_LIMIT)
    return ProposedCandidate(
        kind=proposal.kind,
        title=title_for(conclusion),
        quote=quote,
        quote_number=place.message.number,
        conclusion=conclusion,
        confidence=UNSURE,
        waits=proposal.waits,
    )


def _was_said(candidate: Candidate, place: QuotePlace, *supports: Message) -> bool:
    """Whether nearly all words and all values of the conclusion are in its messages, and both deny or neither does."""
    proposed = "\n".join(message.text for message in supports)
    text, said = terms(candidate.conclusion), terms(f"{own_words(place.message)}\n{proposed}")
    if not text or len(text & said) < _SAID * len(text):
        return False
    if denies(candidate.conclusion) != denies(f"{candidate.quote}\n{proposed}"):
        return False
    return unsaid_value(Claim(candidate, place.session, place.message, place.span, supports)) is None


def _with_confidence(candidate: ProposedCandidate, look: SecondLook, *, sure: bool) -> Candidate:
    """The candidate with its confidence, and with the doubt that only a person can settle, if any."""
    sure = sure and not look.is_undone(candidate.kind)
    weighed = candidate.model_copy(update={"confidence": SURE if sure else UNSURE})
    doubt = look.doubt_of(weighed)
    return _with_doubt(weighed, doubt) if doubt else weighed


def _with_doubt(candidate: ProposedCandidate, doubt: WordsDoubt) -> Candidate:
    return DoubtedCandidate(**candidate.model_dump(exclude={"waits"}), doubt=doubt)


def _leave_to_person(proposal: EntryProposal, places: Sequence[QuotePlace], verdicts: ProposalVerdicts) -> None:
    """Suggest the conclusion of a proposal, or reject it where the words settle nothing for any speaker."""
    place = places[0]
    candidate = _candidate(proposal, place)
    supports = tuple(message for message in place.session.messages if message.number in candidate.support_numbers)
    claim = Claim(candidate, place.session, place.message, place.span, supports)
    if reason := objection(claim):
        verdicts.drafts.append(rejection(reason, candidate.quote, place.session.session_id, candidate.quote_number))
    else:
        verdicts.doubtful.append((claim, READ_BEFORE if len(places) == 1 else SEVERAL_SESSIONS))


def _suggest_without_session(run: Run, proposal: EntryProposal) -> SuggestionDraft:
    """A suggestion for words of which no session is known; they are the agent's until a person accepts them."""
    source = Source(
        session_id=f"{_UNKNOWN}, by {proposal.asker}",
        session_path=_UNKNOWN,
        message_range=(0, 0),
        entry_ids=(proposal.id,),
    )
    entry = Entry(
        id=proposal.id,
        title=title_for(proposal.text),
        kind=proposal.kind,
        date=proposal.at.astimezone(run.now.tzinfo).replace(microsecond=0),
        source=source,
        quote=proposal.quote,
        conclusion=proposal.text,
        confidence=UNSURE,
    )
    identity = f"proposed {proposal.id}"
    return SuggestionDraft(with_id(entry, proposal.id, ()), identity, NOT_READ)
