"""What the owner asks to forget, as facts of a session."""

from collections.abc import Iterable, Iterator

from jobs.voice.naming import share_named
from pipeline.agents.journal import one_line
from pipeline.entries.authorship import said_by_owner
from pipeline.entries.voice.phrases import CLEAR, FORGET, REMINDING, phrase_in
from pipeline.language.folding import fold
from pipeline.language.text import sentences
from schemas.memory_change import LONGEST, Operation
from schemas.session_extraction import SessionFact
from schemas.transcript import Message, Origin, Session
from schemas.window import Window

_ASKED = 5


def forgotten_facts(session: Session, window: Window) -> Iterator[SessionFact]:
    """A removal for each request of the owner to forget something that it names."""
    for message in session.conversation:
        if message.origin is Origin.OWNER and message.time in window:
            yield from _in_message(message)


def _in_message(message: Message) -> Iterator[SessionFact]:
    for span in sentences(message.text):
        match = phrase_in(span, (*CLEAR, *FORGET))
        if match is None or not said_by_owner(span.text, message.text):
            continue
        start, end = match.span("content")
        content = one_line(span.text[start:end])[:LONGEST]
        yield SessionFact(
            operation=Operation.DELETE,
            text=content,
            quote=span.text,
            quote_number=message.number,
            importance=_ASKED,
            confidence=1.0,
            replaces=content,
        )


def forgotten_in(session: Session, window: Window) -> list[str]:
    """The words that name what the owner asks to forget."""
    return [fact.replaces for fact in forgotten_facts(session, window)]


def says_any(text: str, asked: Iterable[str]) -> bool:
    """Whether a text says any of what the owner asks to forget, as a request or as a statement."""
    return any(share_named(words, text) == 1 for words in asked)


def clears(quote: str) -> bool:
    """Whether the words ask to forget all that is known of something, and not one thing."""
    return any(pattern.fullmatch(fold(quote).strip()) for pattern in CLEAR)


def reminded(text: str) -> str:
    """A sentence without the no by which it asks to remember the rest of it: "don't forget that"."""
    match = REMINDING.match(fold(text))
    rest = text[match.end() :] if match else text
    return rest if rest.strip() else text
