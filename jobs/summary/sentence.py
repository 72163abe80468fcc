"""The sentences of a message: the speaker's own ones, with the cues in them."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from dataclasses import dataclass
from functools import cached_property

from jobs.extraction.exchanges import Turn
from jobs.summary.chinese import CHINESE
from jobs.summary.english import ENGLISH
from jobs.summary.lexicon import Lexicon
from jobs.summary.polish import POLISH
from pipeline.language.text import Span, sentences, terms, weight
from schemas.transcript import MASK

_LEXICONS = {lexicon.code: lexicon for lexicon in (ENGLISH, POLISH, CHINESE)}
_LISTED = re.compile(r"^[ \t]*(?:[-*–]|[(（]?(?:\d{1,2}|[a-hA-H])[.)）、]|[A-H][:：])[ \t]+", re.MULTILINE)
_TELLING = 4  # words
_INSIDE = ")]}>&|=;,."  # no sentence begins with these
_CODE = "{}()[];=<>|$\\_"
_CODE_SHARE = 8  # characters to one of code, at most


@dataclass(frozen=True)
class Sentence:
    """One sentence of a message. `rank` is its index among the sentences of the message."""

    turn: Turn
    span: Span
    rank: int

    @property
    def number(self) -> int:
        """The number of its message."""
        return self.turn.message.number

    @property
    def lexicon(self) -> Lexicon:
        """The cues of its language."""
        return _LEXICONS[self.turn.profile.code]

    @cached_property
    def folded(self) -> str:
        """Its text for comparing."""
        return self.span.folded

    @cached_property
    def terms(self) -> frozenset[str]:
        """Its terms."""
        return terms(self.span.text)

    @cached_property
    def substance(self) -> int:
        """How many words it is about; of two pairs of Chinese characters, one."""
        pairs = sum(not one.isascii() for one in self.terms)
        return len(self.terms) - pairs // 2

    @property
    def brief(self) -> bool:
        """Whether it has few terms."""
        return self.substance < _TELLING

    @cached_property
    def weight(self) -> int:
        """Its length in Latin letters."""
        return weight(self.span.text)

    @property
    def asks(self) -> bool:
        """Whether it ends as a question does, or opens as one."""
        return self.span.asks or self.has_cue("interrogative")

    @property
    def announces(self) -> bool:
        """Whether it only leads to what follows it."""
        return self.span.text.endswith((":", "："))

    @cached_property
    def listed(self) -> bool:
        """Whether it stands in an item of a list."""
        return any(mark.start() <= self.span.start <= mark.end() for mark in _LISTED.finditer(self.turn.text))

    @cached_property
    def takes_back(self) -> bool:
        """Whether it takes something back."""
        return self.has_cue("retract", "hesitate", "withdraw") and not self.span.asks

    def shows(self, *functions: str) -> bool:
        """Whether a cue of the summary's with one of these functions stands in it."""
        return any(self.lexicon.finds(function, self.folded) for function in functions)

    def has_cue(self, *functions: str) -> bool:
        """Whether a cue of the extraction's with one of these functions stands in it."""
        return any(self.turn.profile.finds(function, self.folded) for function in functions)


def sentences_of(turn: Turn) -> tuple[Sentence, ...]:
    """The sentences of a message that may be quoted: nothing pasted, no code, nothing that held a secret."""
    spans = [span for span in turn.spans if not _masked(turn, span) and not _torn(span.text)]
    return tuple(Sentence(turn, span, rank) for rank, span in enumerate(spans))


def _torn(text: str) -> bool:
    """Whether it is no sentence: control characters, code, or a piece of a name in it that was cut at a full stop."""
    if any(not character.isprintable() for character in text) or text.count("`") % 2 or text[0] in _INSIDE:
        return True
    if text.count("(") != text.count(")") and any(mark in text for mark in "={}$`/&"):
        return True
    return _CODE_SHARE * sum(character in _CODE for character in text) > len(text)


def _masked(turn: Turn, span: Span) -> bool:
    """Whether the sentence held a secret before redaction: then the rest of it is not quoted either."""
    if MASK in span.text:
        return True
    if MASK not in turn.text:
        return False
    whole = (one for one in sentences(turn.text) if MASK in one.text)
    return any(one.start < span.end and span.start < one.end for one in whole)
