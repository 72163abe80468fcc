"""Candidates that need no reading: what the records prove to be the owner's word, or an agent's note of it."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from jobs.extraction.options import options_of
from pipeline.entries.voice.off_record import on_record
from pipeline.language.folding import fold
from pipeline.language.text import sentences, terms
from schemas.entry import Kind
from schemas.evidence import EvidenceKind, RecordEvidence
from schemas.extraction import Candidate
from schemas.transcript import Message, Origin, Session

CUT = "…"
"""Stands at the end of a text of evidence that is longer."""

_SURE, _PICKED, _NOTED = 0.95, 0.79, 0.5
"""The confidence of an act of the owner, of a picked option, and of words of the owner that only an agent noted.

The latter two wait, the picked options first.
"""

_SAME = 0.6  # of the terms of a note
_TITLE, _CONCLUSION = 120, 300  # characters
_PICK = re.compile(r"\W*(?P<mark>\d{1,2}|[a-h]|[①-⑨]|[一二三四五甲乙丙丁])\W*", re.IGNORECASE)
"""A message that is a mark of an option and nothing else, in whatever language."""

_FEWEST = 2  # terms: a note of fewer is about anything


def with_recorded(
    sessions: Iterable[Session], read: Iterable[tuple[Session, Candidate]]
) -> list[tuple[Session, Candidate]]:
    """What the records prove, then what was read, by a model or not, in other messages.

    What was read in a message that a record proves is the same thing; a note is none where its words were read.
    """
    proven = [one for session in sessions if not session.machine for one in _recorded(session)]
    acts = [one for one in proven if one[1].confidence == _SURE]
    held = {(session.session_id, candidate.quote_number) for session, candidate in acts}
    others = [one for one in read if (one[0].session_id, one[1].quote_number) not in held]
    held |= {(session.session_id, candidate.quote_number) for session, candidate in others}
    notes = [one for one in proven if one not in acts and (one[0].session_id, one[1].quote_number) not in held]
    return [*acts, *others, *notes]


def with_picks(
    sessions: Iterable[Session], read: Iterable[tuple[Session, Candidate]]
) -> Iterator[tuple[Session, Candidate]]:
    """What was read without a model; of a message that only picks an option, the option in its words instead."""
    picks = [one for session in sessions if not session.machine for one in _picks(session)]
    held = {(session.session_id, candidate.quote_number) for session, candidate in picks}
    yield from picks
    yield from (one for one in read if (one[0].session_id, one[1].quote_number) not in held)


def _picks(session: Session) -> Iterator[tuple[Session, Candidate]]:
    for piece in session.pieces:
        seen = on_record(session.before(piece.end))
        for shown, message in pairwise(seen.conversation):
            owners = message.origin is Origin.OWNER and message.time in piece and shown.origin is Origin.ASSISTANT
            if owners and (candidate := _picked(shown, message)):
                yield seen, candidate


def _picked(shown: Message, message: Message) -> Candidate | None:
    """The option that a message picks by its mark alone, behind the line that leads to the options."""
    pick, options = _PICK.fullmatch(message.text), options_of(shown.text)
    chosen = [text for mark, text in options if pick and mark == fold(pick["mark"])]
    if len(chosen) != 1 or not chosen[0]:
        return None
    above = shown.text[: shown.text.find(options[0][1])].splitlines()[:-1]
    lead = next((line.strip(" :：") for line in reversed(above) if any(map(str.isalnum, line))), "")  # noqa: RUF001
    conclusion = f"{lead} → {chosen[0]}" if lead else chosen[0]
    made = _made(Kind.DECISION, message, message.text.strip(), conclusion[:_CONCLUSION], _PICKED)
    return made.model_copy(update={"support_numbers": (shown.number,), "confirmation": "accepted"})


def _recorded(session: Session) -> Iterator[tuple[Session, Candidate]]:
    for piece in session.pieces:
        seen = on_record(session.before(piece.end))
        for one in seen.evidence:
            candidate = _candidate(seen, one) if one.time in piece else None
            if candidate:
                yield seen, candidate


def _candidate(session: Session, one: RecordEvidence) -> Candidate | None:
    if one.kind is EvidenceKind.NOTE:
        return _of_note(session, one)
    message = next((message for message in session.messages if message.number == one.number), None)
    words = one.text.removesuffix(CUT)
    if message is None or message.origin is not Origin.OWNER or words not in message.text:
        return None
    if one.kind is EvidenceKind.REMEMBER:
        return _made(Kind.REMEMBER, message, message.text.strip(), message.text.strip(), _SURE)
    if one.kind is EvidenceKind.ANSWER and one.about:
        asked = _asked(session, one)
        settled = _made(Kind.DECISION, message, words, f"{one.about.removesuffix(CUT)} → {words}", _SURE)
        return settled.model_copy(update={"support_numbers": tuple(number.number for number in asked)})
    return None


def _asked(session: Session, answer: RecordEvidence) -> list[Message]:
    """The message of the assistant that holds the question."""
    question = answer.about.removesuffix(CUT)
    before = [one for one in session.conversation if one.number < answer.number and one.origin is Origin.ASSISTANT]
    return [one for one in before if question in " ".join(one.text.split())][-1:]


def _of_note(session: Session, note: RecordEvidence) -> Candidate | None:
    """The sentence of the owner in which the words of a note stand; none when they are only the agent's."""
    noted = terms(note.text)
    said = [one for one in session.conversation if one.origin is Origin.OWNER and one.number < note.number]
    spans = [(message, span.text.strip()) for message in said for span in sentences(message.text)]
    message, text = max(spans, key=lambda one: len(noted & terms(one[1])), default=(None, ""))
    if message is None or len(noted & terms(text)) < max(_FEWEST, _SAME * len(noted)):
        return None
    return _made(Kind.REMEMBER, message, text, text, _NOTED)


def _made(kind: Kind, message: Message, quote: str, conclusion: str, confidence: float) -> Candidate:
    line = " ".join(conclusion.split())
    return Candidate(
        kind=kind,
        title=line if len(line) <= _TITLE else f"{line[: _TITLE - 1]}{CUT}",
        quote=quote,
        quote_number=message.number,
        conclusion=line,
        confidence=confidence,
    )
