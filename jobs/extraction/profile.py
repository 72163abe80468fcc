"""The profile of a language: its closed-class words, by their function in a conversation."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property

from pipeline.language.cues import Cues
from pipeline.language.detection import Language
from pipeline.language.folding import fold
from pipeline.language.stopwords import FREQUENT
from pipeline.language.text import terms, values


@dataclass(frozen=True)
class Profile:
    """The cue words of one language, as regular-expression fragments over folded text (see `folding.fold`).

    Each field after `parts` is a class of words with one function; `finds` takes its name. A fragment may name a list
    in `parts` as `<name>`. `bounded` says that words are separated by spaces, so that a fragment has to start and end
    at a word's edge. Classes in `_OPENERS` only count at the start of a sentence.
    """

    code: Language
    bounded: bool
    parts: Mapping[str, Cues]
    # How the owner settles something.
    accept: Cues
    approve: Cues
    refuse: Cues
    remember: Cues
    request: Cues
    universal: Cues
    scope: Cues
    order: Cues
    lasting: Cues
    standing: Cues
    decide: Cues
    settle: Cues
    adopt: Cues
    dismiss: Cues
    directive: Cues
    ordinal: Cues
    # What makes a sentence something else.
    interrogative: Cues
    counterfactual: Cues
    condition: Cues
    hedge: Cues
    defer: Cues
    momentary: Cues
    reported: Cues
    others: Cues
    past: Cues
    task: Cues
    imperative: Cues
    mood: Cues
    feeling: Cues
    attempt: Cues
    retract: Cues
    hesitate: Cues
    withdraw: Cues
    # How the assistant takes part.
    propose: Cues
    proposing: Cues
    offer: Cues
    either: Cues
    summing: Cues
    acknowledge: Cues
    noted: Cues
    looking: Cues
    objection: Cues
    # What the words are about.
    structure: Cues
    reason: Cues
    light: Cues
    pointing: Cues
    # What only leads to the matter.
    opening: Cues
    announcing: Cues

    def finds(self, function: str, folded: str) -> bool:
        """Whether a word with this function stands in the folded text."""
        return self.first(function, folded) is not None

    def first(self, function: str, folded: str) -> re.Match[str] | None:
        """The first such word."""
        return self._patterns[function].search(folded)

    def content(self, text: str) -> frozenset[str]:
        """The terms of the text that remain without its closed-class words: what it names."""
        return frozenset().union(*(self._named(part) for part in _MARKS.split(fold(text))))

    def names(self, text: str, *functions: str) -> frozenset[str]:
        """The same with short words, which `terms` leave out: all that a sentence says besides words of grammar.

        Words with one of the `functions` are left out as well.
        """
        folded = self.without(_MARKS.sub(" ", fold(text)), *_EMPTY_HANDED, "pointing", *functions)
        short = (word for word in _SHORT.findall(folded) if word not in FREQUENT)
        return terms(folded).difference(FREQUENT).union(short)

    def _named(self, folded: str) -> frozenset[str]:
        return terms(self.without(folded, *_EMPTY_HANDED))

    def without(self, folded: str, *functions: str) -> str:
        """The folded text with a blank for each word that has one of the functions and holds no number."""
        for function in functions:
            folded = self._patterns[function].sub(_unless_value, folded)
        return folded

    @cached_property
    def _patterns(self) -> dict[str, re.Pattern[str]]:
        names = [field.name for field in fields(self) if field.name not in {"code", "bounded", "parts"}]
        return {name: self._compiled(name) for name in names}

    def _compiled(self, name: str) -> re.Pattern[str]:
        body = "|".join(getattr(self, name)) or "(?!)"
        while re.search(_PART, body):
            body = re.sub(_PART, lambda part: f"(?:{'|'.join(self.parts[part['name']])})", body)
        start = r"^\W*" if name in _OPENERS else ""
        return re.compile(rf"{start}(?<!\w)(?:{body})(?!\w)" if self.bounded else f"{start}(?:{body})")


_OPENERS = frozenset(
    {
        "accept",
        "approve",
        "refuse",
        "task",
        "imperative",
        "request",
        "opening",
        "proposing",
        "summing",
        "acknowledge",
        "objection",
        "ordinal",
    }
)
_EMPTY_HANDED = ("accept", "approve", "refuse", "standing", "decide", "retract", "hesitate", "withdraw", "light")
_MARKS = re.compile(r"[,，、.。!！;；](?!\d)")
_SHORT = re.compile(r"(?<![^\W\d_])[a-z]{2,3}(?![^\W\d_])")
_PART = r"(?<![?(])<(?P<name>[a-z]+)>"


def _unless_value(match: re.Match[str]) -> str:
    """A blank for the word, or the word where it holds a number: `from the 5th` names a date."""
    return match.group() if values(match.group()) else " "
