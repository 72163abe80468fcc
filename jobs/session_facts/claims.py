"""The facts of an episode's sessions, as claims: each rests on words that the owner said in the window."""

from collections.abc import Sequence
from dataclasses import dataclass

from jobs.reading.asking import ask_pieces
from jobs.resolution.drafting import doubt_of, skip_for
from jobs.resolution.validation import Claim, check
from jobs.session_facts.offline import read as read_offline
from pipeline.drafts import Skip
from pipeline.entries.voice.off_record import on_record
from pipeline.job import OFFLINE, Run
from schemas.entry import Kind
from schemas.extraction import Candidate
from schemas.memory_change import Operation
from schemas.outcome import Rejection
from schemas.session_answer import MOST_SENTENCES, SessionExtraction, SessionFact
from schemas.transcript import Session

_TITLE = 80
_KINDS = {Operation.CORE: Kind.REMEMBER, Operation.PREFERENCE: Kind.RULE}


def extractions(run: Run) -> list[tuple[Session, SessionExtraction]]:
    """The extraction of each session, without words that are off the record; the sentences are of its end."""
    kept = [on_record(session) for session in run.inputs.transcripts if not session.machine]
    sessions = [session for session in kept if any(message.time in run.window for message in session.conversation)]
    answers = ask_pieces(run, run.inputs.transcripts)
    extracted = list[tuple[Session, SessionExtraction]]()
    for one in sessions:
        if run.models.way_of(one.sources) == OFFLINE:
            extracted.append((one, read_offline(one, run.window)))
        else:
            own = [answer for question, answer in answers if question.session.path == one.path]
            facts = tuple(fact for answer in own for fact in answer.facts)
            sentences = tuple(sentence for answer in own for sentence in answer.sentences)
            extracted.append((one, SessionExtraction(facts=facts, sentences=sentences[-MOST_SENTENCES:])))
    return extracted


@dataclass(frozen=True)
class CheckedFact:
    """A fact with the claim that it rests on."""

    fact: SessionFact
    claim: Claim


def check_facts(run: Run, session: Session, facts: Sequence[SessionFact]) -> list[CheckedFact | Rejection | Skip]:
    """Check each fact: its claim, in the order of the messages, or the reason against it."""
    results = [_check_fact(run, session, fact) for fact in facts]
    return sorted(results, key=lambda result: result.claim.message.number if isinstance(result, CheckedFact) else 0)


def _check_fact(run: Run, session: Session, fact: SessionFact) -> CheckedFact | Rejection | Skip:
    result = check(_candidate(fact), session, run.window)
    if not isinstance(result, Claim):
        return result
    if why := doubt_of(run, result):
        return skip_for(why)
    if result.identity in run.refusals.forgotten or run.refusals.declined(result.identity):
        return Skip("declined")
    return CheckedFact(fact, result)


def _candidate(fact: SessionFact) -> Candidate:
    return Candidate(
        kind=_KINDS.get(fact.operation, Kind.DECISION),
        title=fact.text[:_TITLE],
        quote=fact.quote,
        quote_number=fact.quote_number,
        support_numbers=fact.support_numbers,
        confirmation=fact.confirmation,
        conclusion=fact.text,
        confidence=fact.confidence,
    )
