"""The owner's requests to forget, as facts of a session."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from pipeline.agents.journal import one_line
from pipeline.entries.authorship import said_by_owner
from pipeline.entries.voice.phrases import CLEAR, FORGET, REMINDING, phrase_in
from pipeline.language.chinese import han_runs
from pipeline.language.folding import flat, fold
from pipeline.language.stems import of as stem_of
from pipeline.language.stopwords import FREQUENT, FUNCTION
from pipeline.language.text import sentences
from pipeline.language.words import words
from schemas.memory_change import LONGEST, Operation
from schemas.session_answer import SessionFact
from schemas.transcript import Origin, Session
from schemas.window import Window

_ROOT = 2
"""Letters that two forms of a short word have in common at least: kot and kocie, psa and psem."""


@lru_cache(maxsize=65536)
def telling_words(text: str) -> frozenset[str]:
    """The stems of the words of a text that say what it is about, its numbers, and its Chinese characters."""
    return frozenset({stem_of(word) for word in _plain_words(text)} | (set("".join(han_runs(flat(text)))) - FUNCTION))


def share_named(naming: str, text: str) -> float:
    """The share of the telling words of `naming` that stand in a text; 0 when none of its words tells anything."""
    wanted = telling_words(naming)
    return len(wanted & telling_words(text)) / len(wanted) if wanted else 0.0


def may_name(naming: str, text: str) -> bool:
    """Whether each telling word of `naming` may be a form of a word of a text, by how both begin."""
    wanted, known = _plain_words(naming), _plain_words(text)
    return bool(wanted) and all(any(_may_be_form(word, other) for other in known) for word in wanted)


def _may_be_form(word: str, other: str) -> bool:
    begin = max(_ROOT, min(len(word), len(other)) - _ROOT)
    return word[:begin] == other[:begin] and not word.isdigit()


def _plain_words(text: str) -> frozenset[str]:
    """The telling words of a text in letters, as they are written but for accents and case."""
    folded = flat(text)
    written = {folded[word.start : word.end] for word in words(folded)}
    return frozenset(
        word for word in written if (len(word) > 1 or word.isdigit()) and word not in FREQUENT and not han_runs(word)
    )


_ASKED = 5


def forgotten_facts(session: Session, window: Window) -> Iterator[SessionFact]:
    """A removal for each request of the owner to forget something that it names."""
    owners = [message for message in session.conversation if message.origin is Origin.OWNER and message.time in window]
    for message, span in [(said, span) for said in owners for span in sentences(said.text)]:
        match = phrase_in(span, (*CLEAR, *FORGET))
        if match is None or not said_by_owner(span.text, message.text):
            continue
        start, end = match.span("content")
        if content := one_line(span.text[start:end])[:LONGEST]:
            yield SessionFact(
                operation=Operation.DELETE,
                text=content,
                quote=span.text,
                quote_number=message.number,
                importance=_ASKED,
                confidence=1.0,
                replaces=content,
            )


def says_any(text: str, asked: Iterable[str]) -> bool:
    """Whether a text says any of what the owner asks to forget, as a request or as a statement."""
    return any(share_named(words, text) == 1 for words in asked)


def clears(quote: str) -> bool:
    """Whether the words ask to forget all that is known of something, and not one thing."""
    return any(pattern.fullmatch(fold(quote).strip()) for pattern in CLEAR)


def without_reminder(text: str) -> str:
    """A sentence without the no by which it asks to remember the rest of it: "don't forget that"."""
    match = REMINDING.match(fold(text))
    rest = text[match.end() :] if match else text
    return rest if rest.strip() else text
