"""The profiles of the languages: closed-class words, by their function in a conversation."""

import re
from collections.abc import Iterable
from typing import Literal, get_args

from pipeline.language.detection import Language, detect
from pipeline.language.folding import fold
from pipeline.language.lexicon import Lexicon
from pipeline.language.stopwords import FREQUENT
from pipeline.language.text import terms, values

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

WordFunction = Literal[
    "accept", "approve", "refuse", "remember", "request", "universal", "scope", "order", "lasting", "standing",
    "decide", "settle", "adopt", "replace", "dismiss", "directive", "ordinal",
    "interrogative", "counterfactual", "condition", "hedge", "defer", "momentary", "reported", "others", "past",
    "task", "imperative", "mood", "feeling", "attempt", "retract", "hesitate", "withdraw",
    "propose", "proposing", "offer", "either", "summing", "acknowledge", "noted", "looking", "objection",
    "structure", "reason", "light", "pointing",
    "opening", "announcing", "purpose",
]  # fmt: skip
"""The function of words in a conversation, which names a class of them."""

_OPENERS =  frozenset(
    {
        "accept", "approve", "refuse", "task", "imperative", "request", "opening", "proposing", "summing",
        "acknowledge", "objection", "ordinal",
    }
)  # fmt: skip
"""Functions that words have at the start of a sentence alone."""
_EMPTY_HANDED = (
    "accept", "approve", "refuse", "standing", "decide", "retract", "hesitate", "withdraw", "light",
)  # fmt: skip
"""Functions of words that name nothing."""
_MARKS = re.compile(r"[,，、.。!！;；](?!\d)")
_SHORT = re.compile(r"(?<![^\W\d_])[a-z]{2,3}(?![^\W\d_])")


class Profile:
    """The words of one language, searched over folded text (see `folding.fold`)."""

    def __init__(self, code: Language) -> None:
        self.code = code
        self._words: Lexicon[str] = Lexicon("decisions", get_args(WordFunction), (code,))

    def finds(self, function: str, folded: str) -> bool:
        """Whether a word with this function stands in the folded text."""
        return self.first(function, folded) is not None

    def finds_any(self, functions: Iterable[str], folded: str) -> bool:
        """Whether a word with one of these functions stands in the folded text."""
        return any(self.finds(function, folded) for function in functions)

    def first(self, function: str, folded: str) -> re.Match[str] | None:
        """The first such word."""
        return self._pattern_of(function).search(folded)

    def content(self, text: str) -> frozenset[str]:
        """The terms of the text without its closed-class words: the names of things."""
        parts = _MARKS.split(fold(text))
        return frozenset().union(*(terms(self.without(part, *_EMPTY_HANDED)) for part in parts))

    def names(self, text: str, *functions: str) -> frozenset[str]:
        """The terms of the text without words of grammar, with short words, which `terms` leave out.

        Words with one of the `functions` are left out as well.
        """
        folded = self.without(_MARKS.sub(" ", fold(text)), *_EMPTY_HANDED, "pointing", *functions)
        short = (word for word in _SHORT.findall(folded) if word not in FREQUENT)
        return terms(folded).difference(FREQUENT).union(short)

    def without(self, folded: str, *functions: str) -> str:
        """The folded text with a blank for each word that has one of the functions and holds no number."""
        for function in functions:
            # `from the 5th` names a date.
            pattern = self._pattern_of(function)
            folded = pattern.sub(lambda match: match.group() if values(match.group()) else " ", folded)
        return folded

    def _pattern_of(self, function: str) -> re.Pattern[str]:
        return self._words.pattern(function, r"^\W*{}" if function in _OPENERS else "{}")


PROFILES = {language: Profile(language) for language in Language}


def profile_of(text: str) -> Profile:
    """The profile of a text's language; the English profile without evidence."""
    language = detect(text)
    return PROFILES[language or Language.ENGLISH]
