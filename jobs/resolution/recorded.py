"""Candidates that need no reading: acts of the owner in the records, and agents' notes of the owner's words."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import NamedTuple

from jobs.extraction.options import options_of
from jobs.extraction.persons import third_person
from jobs.extraction.profile import profile_of
from pipeline.entries.voice.off_record import on_record
from pipeline.language.folding import fold
from pipeline.language.text import sentences, terms
from schemas.entry import Kind
from schemas.evidence import EvidenceKind, RecordEvidence
from schemas.extraction import Candidate, NotedCandidate
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
_FEWEST_IN_FILE = 4  # terms of a line of a file and of the owner's words, of which one stands in the other
_WORDS = re.compile(r"\w+")
_LABEL = re.compile(r"^[^:\uff1a]{1,40}[:\uff1a]")
"""The label of a line: `Role:` in `Role: head of the archive`."""


def add_proven(
    sessions: Iterable[Session], read: Iterable[tuple[Session, Candidate]]
) -> list[tuple[Session, Candidate]]:
    """The candidates that records prove, then those read in other messages, by a model or not.

    A candidate read in a message that a record proves is the same; a note of a message that was read is left out.
    """
    proven = [pair for session in sessions if not session.machine for pair in _proven_candidates(session)]
    acts = [pair for pair in proven if pair[1].confidence == _SURE]
    held = set(map(_message_of, acts))
    others = [pair for pair in read if _message_of(pair) not in held]
    held.update(map(_message_of, others))
    noted = [pair for pair in proven if pair[1].confidence != _SURE and _message_of(pair) not in held]
    return [*acts, *others, *{(_message_of(pair), pair[1].quote): pair for pair in noted}.values()]


def _message_of(read: tuple[Session, Candidate]) -> tuple[str, int]:
    """The session and the number of the quoted message."""
    return read[0].session_id, read[1].quote_number


def add_picks(
    sessions: Iterable[Session], read: Iterable[tuple[Session, Candidate]]
) -> Iterator[tuple[Session, Candidate]]:
    """The candidates read without a model; for a message that only picks an option, the words of the option instead."""
    picks = list[tuple[Session, Candidate]]()
    for session in sessions:
        for piece in () if session.machine else session.pieces:
            seen = on_record(session.before(piece.end))
            for shown, message in pairwise(seen.conversation):
                owners = message.origin is Origin.OWNER and message.time in piece and shown.origin is Origin.ASSISTANT
                if owners and (candidate := _picked_option(shown, message)):
                    picks.append((seen, candidate))
    held = set(map(_message_of, picks))
    yield from picks
    yield from (pair for pair in read if _message_of(pair) not in held)


def _picked_option(shown: Message, message: Message) -> Candidate | None:
    """The option that a message picks by its mark alone, behind the line that leads to the options."""
    pick, options = _PICK.fullmatch(message.text), options_of(shown.text)
    chosen = [text for mark, text in options if pick and mark == fold(pick["mark"])]
    if len(chosen) != 1 or not chosen[0]:
        return None
    above = shown.text[: shown.text.find(options[0][1])].splitlines()[:-1]
    lead = next((line.strip(" :：") for line in reversed(above) if any(map(str.isalnum, line))), "")  # noqa: RUF001
    conclusion = f"{lead} → {chosen[0]}" if lead else chosen[0]
    made = _build_candidate(Kind.DECISION, message, message.text.strip(), conclusion[:_CONCLUSION], _PICKED)
    return made.model_copy(update={"support_numbers": (shown.number,), "confirmation": "accepted"})


def _proven_candidates(session: Session) -> Iterator[tuple[Session, Candidate]]:
    starts = [piece.start for piece in session.pieces[1:]]
    for piece, following in zip_longest(session.pieces, starts):
        proven = tuple(evidence for evidence in session.evidence if following is None or evidence.time < following)
        seen = on_record(session.before(piece.end).model_copy(update={"evidence": proven}))
        # An agent goes on when all has been said.
        here = [evidence for evidence in seen.evidence if evidence.time >= piece.start]
        said = list(_owners_sentences(seen)) if any(evidence.kind is EvidenceKind.NOTE for evidence in here) else []
        for evidence in here:
            noted = evidence.kind is EvidenceKind.NOTE
            candidate = _candidate_of_note(said, evidence) if noted else _candidate_of_act(seen, evidence)
            if candidate:
                yield seen, candidate


def _candidate_of_act(session: Session, evidence: RecordEvidence) -> Candidate | None:
    message = next((message for message in session.messages if message.number == evidence.number), None)
    words = evidence.text.removesuffix(CUT)
    if message is None or message.origin is not Origin.OWNER or not words or words not in message.text:
        return None
    if evidence.kind is EvidenceKind.REMEMBER:
        return _build_candidate(Kind.REMEMBER, message, message.text.strip(), message.text.strip(), _SURE)
    if evidence.kind is EvidenceKind.ANSWER and evidence.about:
        question = evidence.about.removesuffix(CUT)
        before = (asked for asked in session.conversation if asked.number < evidence.number)
        questions = [
            asked for asked in before if asked.origin is Origin.ASSISTANT and question in " ".join(asked.text.split())
        ]
        settled = _build_candidate(Kind.DECISION, message, words, f"{question} → {words}", _SURE)
        return settled.model_copy(update={"support_numbers": tuple(asked.number for asked in questions[-1:])})
    return None


class _OwnersSentence(NamedTuple):
    """A sentence of the owner, that asks nothing: its message, its text, and its words alone."""

    message: Message
    text: str
    words: str


def _owners_sentences(session: Session) -> Iterator[_OwnersSentence]:
    for message in session.conversation:
        for span in sentences(message.text) if message.origin is Origin.OWNER else ():
            if not span.asks:
                yield _OwnersSentence(message, span.text.strip(), _joined_words(span.text))


def _candidate_of_note(said: Sequence[_OwnersSentence], note: RecordEvidence) -> Candidate | None:
    """The sentence of the owner that has the words of a note; `None` when they are only the agent's.

    It has most terms of a note that a memory tool was given; a line of a file stands in it as it is, or holds all of
    it.
    """
    before = [sentence for sentence in said if sentence.message.number < note.number]
    same = _find_repeated(before, note) if note.about else _find_retold(before, note)
    if same is None:
        return None
    line = third_person(same.text, profile_of(same.text).code)
    return NotedCandidate(**_build_candidate(Kind.REMEMBER, same.message, same.text, line, _NOTED).model_dump())


def _find_retold(said: Sequence[_OwnersSentence], note: RecordEvidence) -> _OwnersSentence | None:
    noted = terms(note.text)
    best = max(said, key=lambda sentence: len(noted & terms(sentence.text)), default=None)
    enough = max(_FEWEST, _SAME * len(noted))
    return best if best and len(noted & terms(best.text)) >= enough else None


def _find_repeated(said: Sequence[_OwnersSentence], note: RecordEvidence) -> _OwnersSentence | None:
    lines = {_joined_words(note.text), _joined_words(_LABEL.sub("", note.text))}
    both = (
        (sentence, min(noted, sentence.words, key=len))
        for sentence in reversed(said)
        for noted in lines
        if noted in sentence.words or sentence.words in noted
    )
    return next((sentence for sentence, words in both if len(terms(words)) >= _FEWEST_IN_FILE), None)


def _joined_words(text: str) -> str:
    return " ".join(_WORDS.findall(fold(text)))


def _build_candidate(kind: Kind, message: Message, quote: str, conclusion: str, confidence: float) -> Candidate:
    line = " ".join(conclusion.split())
    return Candidate(
        kind=kind,
        title=line if len(line) <= _TITLE else f"{line[: _TITLE - 1]}{CUT}",
        quote=quote,
        quote_number=message.number,
        conclusion=line,
        confidence=confidence,
    )
