"""The facts of an episode's sessions, as claims: each rests on words that the owner said in the window.

Without a model, code reads the facts (`read`).
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from jobs.extraction import extract
from jobs.extraction.exchanges import own_words
from jobs.extraction.profile import profile_of
from jobs.reading.asking import ask_pieces
from jobs.resolution.drafting import OFFLINE_LINE, doubt_of, skip_for
from jobs.resolution.validation import Claim, check
from jobs.voice.forgetting import telling_words, without_reminder
from pipeline.agents.journal import one_line
from pipeline.drafts import Skip
from pipeline.entries.authorship.scale import is_out_of_scale
from pipeline.entries.voice.off_record import on_record
from pipeline.job import OFFLINE, Run
from pipeline.language.folding import fold
from schemas.entry import Kind
from schemas.extraction import Candidate, Conversation
from schemas.memory_change import LONGEST, Operation
from schemas.outcome import Rejection
from schemas.session_answer import MOST_FACTS, MOST_SENTENCES, SessionExtraction, SessionFact
from schemas.transcript import Origin, Session
from schemas.window import Window

_ASKED, _SETTLED = 5, 3
"""The importance of what the owner asks to remember, and of what the owner settled."""

_NO_MORE = re.compile(r"\bjuz nie\b|\bno longer\b|\bnot\b.*\bany ?more\b|n't\b.*\bany ?more\b|不再|不是.*而是")
_ALWAYS = ("universal", "order", "lasting", "standing", "scope")
"""Words of an order that holds from now on and in all cases."""


def read(session: Session, window: Window) -> SessionExtraction:
    """The facts and the sentences of a window; the same answer for the same session and window."""
    facts = tuple(_facts(session, window))[:MOST_FACTS]
    sentences = (*(fact.text for fact in facts), *owners_words(session, window, facts))
    return SessionExtraction(facts=facts, sentences=sentences[:MOST_SENTENCES])


def _facts(session: Session, window: Window) -> Iterator[SessionFact]:
    said = tuple(message for message in session.conversation if message.time < window.end)
    new = [message.number for message in said if message.time in window and not is_out_of_scale(message, session)]
    if not new or session.routine:
        return
    whole = Conversation(session_id=session.session_id, first_new=new[0], messages=said)
    for candidate in extract(whole).candidates:
        sure = candidate.kind is Kind.REMEMBER or candidate.confidence >= OFFLINE_LINE
        # Of a rule that says what holds no more, only a model can tell which line it corrects.
        corrects = candidate.kind is Kind.RULE and _NO_MORE.search(fold(candidate.quote))
        if candidate.quote_number in new and sure and not corrects:
            yield SessionFact(
                operation=_operation(candidate),
                text=one_line(_text_of(candidate))[:LONGEST],
                quote=candidate.quote,
                quote_number=candidate.quote_number,
                support_numbers=candidate.support_numbers,
                confirmation=candidate.confirmation,
                importance=_ASKED if candidate.kind is Kind.REMEMBER else _SETTLED,
                confidence=candidate.confidence,
            )


def _text_of(candidate: Candidate) -> str:
    """The text of a candidate, without the words that ask to remember it: "zapamiętaj, że", "remember"."""
    text = without_reminder(candidate.conclusion)
    opening = profile_of(text).first("opening", fold(text)) if candidate.kind is Kind.REMEMBER else None
    rest = text[opening.end() :].lstrip(" ,.:，：") if opening and opening.start() == 0 else ""  # noqa: RUF001
    return rest if telling_words(rest) else text


def _operation(candidate: Candidate) -> Operation:
    """The operation for a candidate: a thing to remember is the owner's, a rule a preference or a lasting order."""
    if candidate.kind is Kind.REMEMBER:
        return Operation.CORE
    preferred = candidate.kind is Kind.RULE and not is_standing_order(candidate.quote)
    return Operation.PREFERENCE if preferred else Operation.DECISION


def is_standing_order(text: str) -> bool:
    """Whether the owner says that something is to be done always or never."""
    return profile_of(text).finds_any(_ALWAYS, fold(text))


def owners_words(session: Session, window: Window, facts: Collection[SessionFact]) -> list[str]:
    """The owner's own words in the first and in the last message of a window with any, unless a fact quotes them."""
    quoted = {fact.quote_number for fact in facts}
    said = [message for message in session.conversation if message.time in window and message.origin is Origin.OWNER]
    texts = list[str]()
    for messages in (said, reversed(said)):
        typed = (message for message in messages if not is_out_of_scale(message, session))
        own = ((message.number, one_line(own_words(message))[:LONGEST]) for message in typed)
        number, words = next(((number, words) for number, words in own if words), (0, ""))
        if words and number not in quoted:
            texts.append(words)
    return list(dict.fromkeys(texts))


_TITLE = 80
_KINDS = {Operation.CORE: Kind.REMEMBER, Operation.PREFERENCE: Kind.RULE}


def extractions(run: Run) -> list[tuple[Session, SessionExtraction]]:
    """The extraction of each session, without words that are off the record; the sentences are of its end."""
    kept = [on_record(session) for session in run.inputs.transcripts if not session.machine]
    sessions = [session for session in kept if any(message.time in run.window for message in session.conversation)]
    answers = ask_pieces(run, run.inputs.transcripts)
    extracted = list[tuple[Session, SessionExtraction]]()
    for session in sessions:
        if run.models.way_of(session.sources) == OFFLINE:
            extracted.append((session, read(session, run.window)))
        else:
            own = [answer for question, answer in answers if question.session.session_id == session.session_id]
            facts = tuple(fact for answer in own for fact in answer.facts)
            sentences = tuple(sentence for answer in own for sentence in answer.sentences)
            extracted.append((session, SessionExtraction(facts=facts, sentences=sentences[-MOST_SENTENCES:])))
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
    result = check(
        Candidate(
            kind=_KINDS.get(fact.operation, Kind.DECISION),
            title=fact.text[:_TITLE],
            quote=fact.quote,
            quote_number=fact.quote_number,
            support_numbers=fact.support_numbers,
            confirmation=fact.confirmation,
            conclusion=fact.text,
            confidence=fact.confidence,
        ),
        session,
        run.window,
    )
    if not isinstance(result, Claim):
        return result
    if why := doubt_of(run, result):
        return skip_for(why)
    if result.identity in run.refusals.forgotten or run.refusals.declined(result.identity):
        return Skip("declined")
    return CheckedFact(fact, result)
