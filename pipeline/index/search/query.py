"""A question in the form in which the index is asked: weighted terms, the time it names, and its direction in time."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import islice

from pipeline.language.analysis import grams, query_terms
from pipeline.language.folding import flat
from pipeline.language.time_ranges.reading import periods
from pipeline.language.time_ranges.spans import DaySpan
from pipeline.language.words import Word, words_of
from schemas.search_limits import LONGEST_QUERY

MOST_TERMS = 128

# A question about how it began, or why it is so: it may mean entries of any age. Polish without accents, as `flat`.
_BACK = re.compile(
    r"\b(?:originally|initially|at first|in the (?:beginning|past)|back then|long ago|(?:months?|years?) ago|last year|"
    r"used to|history of|how come|why (?:did|was|were|had|have|has)|"
    r"pierwotnie|poczatkowo|na poczatku|kiedys|dawniej|dawno|(?:miesiac\w*|miesiecy|lata|lat|rok) temu|"
    r"(?:zeszl|ubiegl|poprzedni)\w* rok\w*|dlaczego|czemu|historia)\b|"
    r"最初|起初|当初|一开始|去年|前年|以前|过去|曾经|为什么|为何|怎么会|个月前|年前"
)
# A question about what was before, or has been replaced: superseded entries are answers too.
_BEFORE = re.compile(
    r"\b(?:before|previous(?:ly)?|earlier|formerly?|old|originally|initially|at first|used to|what was|what were|"
    r"no longer|any ?more|instead of|replaced?|changed|superseded|still|until now|so far|"
    r"wczesniej\w*|poprzedni\w*|przedtem|dawn\w+|kiedys|najpierw|pierwotn\w+|poczatkowo|na poczatku|star[yaei]|"
    r"zmieni\w+|zamiast|zastapi\w+|dotychczas\w*|w koncu|jeszcze)\b|"
    r"之前|以前|先前|从前|原来|原先|原本|最初|起初|当初|旧|曾经|过去|改掉|改成|换掉|还是"
)
_LONG_AGO_DAYS = 60


@dataclass(frozen=True)
class AnalysedQuery:
    """A question. `text` is its counted part, and can be encoded; `weights` is how often it has each of its terms.

    `shortened` means that the rest of it was left out. `after_old` means that it asks (also) about superseded entries.
    """

    text: str
    weights: Mapping[str, int]
    periods: tuple[DaySpan, ...] = ()
    reaches_back: bool = False
    after_old: bool = False
    shortened: bool = False

    def of_its_time(self, day: int | None) -> bool:
        """Whether a day, an ordinal, lies in a time that the question names."""
        return day is not None and any(period.has(day) for period in self.periods)

    @cached_property
    def terms(self) -> frozenset[str]:
        """The question's terms."""
        return frozenset(self.weights)

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """The question's words as they are written, those that are looked for."""
        return tuple(words_of(self.text, self.terms))

    @cached_property
    def grams(self) -> Mapping[str, int]:
        """The pieces of its words, and how often it has them."""
        return Counter(grams(self.text))


def analyse_query(text: str, today: date) -> AnalysedQuery:
    """The question that `text` asks on a day; any text will do."""
    clean = encodable(text[:LONGEST_QUERY]).strip()
    plain, named = flat(clean), periods(clean, today)
    long_ago = any(not period.every_year and (today - period.last).days > _LONG_AGO_DAYS for period in named)
    return AnalysedQuery(
        clean,
        dict(islice(Counter(query_terms(clean)).items(), MOST_TERMS)),
        named,
        reaches_back=long_ago or _BACK.search(plain) is not None,
        after_old=_BEFORE.search(plain) is not None,
        shortened=len(text) > LONGEST_QUERY,
    )


def encodable(text: str) -> str:
    """`text` with a replacement character for every lone half of a surrogate pair, as broken input has them."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
