"""A model's answers about labelled sessions: those of a reader who is right, and those of one who makes mistakes."""

from collections.abc import Iterator, Sequence

from pydantic import BaseModel

from pipeline.ports.engine import Question
from schemas.entry import Kind
from schemas.extraction import Candidate, Conversation
from schemas.links import LinkVerdict
from schemas.session_answer import SessionAnswer
from schemas.transcript import Message, Origin
from tests.support.builders.labelled_talks import Label, LabelledTalks
from tests.support.builders.link_rows import linked
from tests.support.ports.fences import unfenced
from tests.support.ports.shown_rows import read_shown

UNSURE = 0.5
SURE = 0.95
_SWAPPED = {Kind.DECISION: Kind.ARCHITECTURE, Kind.ARCHITECTURE: Kind.DECISION, Kind.RULE: Kind.DECISION}
_INVENTED = "we always do it by hand, without exceptions"


class LabelledReader:
    """The script of a `ScriptedModel`. With `noise` each answer has a mistake, beside much that is not so.

    Pairs of entries are judged as labelled in any case.
    """

    def __init__(self, talks: LabelledTalks, *, noise: bool = False) -> None:
        self._talks = talks
        self._noise = noise

    def __call__(self, question: Question) -> BaseModel:
        """The answer to a question of `micro_sync`."""
        if question.name == "micro_sync_links":
            return linked(unfenced(question.input), self._verdict, "as labelled")
        return SessionAnswer(candidates=tuple(self._read(read_shown(question.input))))

    def _read(self, given: Conversation) -> Iterator[Candidate]:
        shown = {(message.number, message.text) for message in given.messages}
        [talk] = [one for one in self._talks.talks if shown <= {(m.number, m.text) for m in one.session.messages}]
        labels = [label for label in talk.labels if given.first_new <= label.number <= given.messages[-1].number]
        for place, label in enumerate(labels):
            yield from _mistaken(place, label) if self._noise else [label.candidate]
        if self._noise:
            yield from _untrue(given.messages, labels)

    def _verdict(self, later: str, earlier: str) -> LinkVerdict | None:
        label = self._label(later)
        return label.verdict if label.of == self._label(earlier).name else None

    def _label(self, quote: str) -> Label:
        return next(label for label in self._talks.labels.values() if label.quote.startswith(quote))


def _mistaken(place: int, label: Label) -> list[Candidate]:
    """What is so: twice, of another kind, unsure, or quoted too shortly and once more."""
    right = label.candidate
    if place % 4 == 0:
        return [right, right.model_copy(update={"title": right.title.upper(), "confidence": SURE})]
    if place % 4 == 1:
        return [right.model_copy(update={"kind": _SWAPPED.get(right.kind, right.kind)})]
    if place % 4 == 2:
        return [right.model_copy(update={"confidence": UNSURE})]
    return [right.model_copy(update={"quote": right.quote[: len(right.quote) * 2 // 3].rstrip()}), right]


def _untrue(messages: Sequence[Message], labels: Sequence[Label]) -> Iterator[Candidate]:
    """What is not so: words of others, words that nobody said, and words of another message."""
    settled = {label.number for label in labels}
    for message in messages:
        if message.origin is Origin.ASSISTANT:
            yield _claim(message.text, message.number)
        elif message.number not in settled:
            yield _claim(_INVENTED, message.number)
            yield _claim(labels[0].quote, message.number)
            if "\n" in message.text:  # a mail
                yield _claim(message.text.splitlines()[-1], message.number)
            else:
                yield _claim(message.text, message.number).model_copy(update={"confidence": UNSURE})


def _claim(quote: str, number: int) -> Candidate:
    return Candidate(
        kind=Kind.RULE, title=quote[:80], quote=quote, quote_number=number, conclusion=quote, confidence=SURE
    )
