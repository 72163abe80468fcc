"""The sentences with which the owner speaks to the memory itself, in all languages.

They are matched against one whole sentence, folded as `fold` does. A phrase begins where its sentence begins, behind
words that lead to it at most: "I forgot my key" asks for nothing.
"""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, get_args

from pipeline.language.lexicon import LANGUAGES, Lexicon
from pipeline.language.text import Span

PhraseWord = Literal[
    "lead", "asking", "polite", "reason",
    "forget", "forget_named", "clear", "not_kept", "off_record", "never_mind",
    "aside", "thanks", "joint",
    "of_files", "reminding",
]  # fmt: skip
"""The classes of words of such sentences."""

PHRASES: Lexicon[PhraseWord] = Lexicon("to_memory", get_args(PhraseWord))

_JOINT = PHRASES.either("joint")
_BETWEEN = rf"(?:\s*[,，、;；:：—–-]\s*|\s+)(?:(?:{_JOINT})\s+)?"
"""The signs and words between two phrases of a sentence."""
_LONGEST = 300
"""Characters of a sentence that may be a phrase; a longer one says more than that."""


def phrase_in(span: Span, phrases: Sequence[re.Pattern[str]]) -> re.Match[str] | None:
    """The first of the phrases that is all that the sentence says."""
    if len(span.text) > _LONGEST:
        return None
    return next(filter(None, (pattern.fullmatch(span.folded) for pattern in phrases)), None)


def _requests(language: str, phrases: Iterable[str], end: PhraseWord = "polite") -> Iterator[re.Pattern[str]]:
    """A pattern for each request in a language, with what may stand before it and behind it."""
    return _sentences(language, (f"{PHRASES.either('asking', language)}(?:{phrase})" for phrase in phrases), end)


def _sentences(language: str, phrases: Iterable[str], end: PhraseWord = "polite") -> Iterator[re.Pattern[str]]:
    """A pattern for each phrase in a language, with words that lead to it and words behind it."""
    lead, rest = PHRASES.either("lead", language), PHRASES.either(end, language)
    return (re.compile(f"{lead}(?:{phrase}){rest}") for phrase in phrases)


def _forgetting(language: str) -> Iterator[re.Pattern[str]]:
    yield from _requests(language, PHRASES.fragments("forget", language), "reason")
    yield from _requests(language, PHRASES.fragments("forget_named", language))


def _off_record(language: str) -> Iterator[re.Pattern[str]]:
    phrases = (_sequence(language, "not_kept"), *PHRASES.fragments("off_record", language))
    yield from _requests(language, phrases)


def _words_beside(language: str) -> Iterator[re.Pattern[str]]:
    phrases = (PHRASES.either("aside", language), *PHRASES.fragments("thanks", language))
    yield from _sentences(language, phrases)


def _sequence(language: str, name: PhraseWord) -> str:
    """One or more phrases of a class, among any number of asides, with a mark or a space between two."""
    phrase, aside = f"(?:{PHRASES.either(name, language)})", f"(?:{PHRASES.either('aside', language)})"
    # A named group may stand once in a pattern, so the further phrases have none.
    more = re.sub(r"\?P<\w+>", "?:", phrase)
    return rf"(?:{aside}{_BETWEEN})*{phrase}(?:{_BETWEEN}(?:{more}|{aside}))*"


FORGET = tuple(pattern for language in LANGUAGES for pattern in _forgetting(language))
"""The owner asks to forget the group `content`. A bare "forget it" names nothing, so nothing follows from it."""

CLEAR = tuple(
    pattern for language in LANGUAGES for pattern in _requests(language, PHRASES.fragments("clear", language))
)
"""The owner asks to forget all that is known of the group `content`."""

OFF_RECORD = tuple(pattern for language in LANGUAGES for pattern in _off_record(language))
"""The owner asks not to keep what was just said; with the group `all`, what was said in this conversation."""

NEVER_MIND = tuple(
    pattern
    for language in LANGUAGES
    if PHRASES.fragments("never_mind", language)
    for pattern in _sentences(language, [_sequence(language, "never_mind")])
)
"""The owner drops what was just said; within a message that says more, it may be but a question."""

BESIDE = tuple(pattern for language in LANGUAGES for pattern in _words_beside(language))
"""Phrases beside it that say nothing else: "I was just venting", "thanks"."""

OF_FILES = re.compile(rf"\b(?:{PHRASES.either('of_files', 'en', 'pl')})|{PHRASES.either('of_files', 'zh')}")
"""Words by which the owner may as well speak of a file."""

REMINDING = re.compile(PHRASES.either("reminding"))
"""The beginning of a sentence that asks, by a no, to remember the rest of it."""
