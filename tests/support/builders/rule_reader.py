"""A reader that takes each new message of the owner for a rule, word for word."""

from pipeline.ports.engine import Question
from schemas.entry import Kind
from schemas.extraction import Candidate
from schemas.transcript import Message, Origin
from tests.support.ports.shown_rows import read_shown


def new_messages(question: Question) -> list[Message]:
    """The messages of the owner that a question asks about."""
    shown = read_shown(question.input)
    return [one for one in shown.messages if one.number >= shown.first_new and one.origin is Origin.OWNER]


def rules_in(question: Question) -> tuple[Candidate, ...]:
    """A rule for each of them."""
    return tuple(
        Candidate(
            kind=Kind.RULE,
            title=one.text,
            quote=one.text,
            quote_number=one.number,
            conclusion=one.text,
            confidence=0.9,
        )
        for one in new_messages(question)
    )
