"""Whether a sentence says what its facts say and nothing else: it may shorten and join them, in their own words.

It is stricter than a reader would be. What is refused costs a better wording; what is believed may be wrong for years.
"""

import re
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import permutations
from unicodedata import normalize

from jobs.resolution.same_thing import denies, features, replaces
from jobs.wrapup.line_text import inline
from pipeline.entries.values.check import Said, ValuesSaid
from pipeline.language.folding import flat
from pipeline.language.han import CHARACTERS
from pipeline.language.lexicon import cues
from pipeline.language.numerals import small_number
from pipeline.language.stems import of as stem_of
from pipeline.language.stopwords import FREQUENT
from pipeline.language.text import sentences
from pipeline.markdown.entries import one_line
from schemas.fact import Fact
from schemas.transcript import MASK

_TERM = re.compile(rf"(?P<number>\d+(?:[.,:]\d+)*)|(?P<han>[{CHARACTERS}])|(?P<word>(?:(?![{CHARACTERS}])[^\W\d_])+)")
_HEAD = 3  # letters of a name that have to be the same with their accents: Kasia is not Kąsia
_JOINING = frozenset("的了是就也都和与这那很还又着们么嘛之在以并且而及")
"""Chinese characters that join what others say."""
_TELLING = frozenset(
    cues(
        "able; again; ago; all; always; another; before; after; between; best; better; can; cannot; could; day; days",
        "each; end; ever; every; few; first; for; from; into; last; late; least; less; like; long; lot; many; may",
        "maybe; might; month; months; more; most; much; must; need; needs; never; new; next; none; nothing; off; old",
        "once; one; only; out; over; part; right; same; should; soon; still; stop; such; than; to; today; together",
        "tomorrow; too; two; under; until; used; want; wants; week; weeks; will; with; without; would; year; years",
        "bardzo; bez; chce; chcemy; czas; dla; do; dopiero; duzo; dwa; dzien; dzis; dzisiaj; inne; inny; jeden; jedna",
        "jedno; juz; kazda; kazde; kazdy; kilka; lat; moga; moge; moze; mozna; musi; musze; nawet; nic; nigdy; nikt",
        "od; po; potem; przed; przez; rok; roku; sam; sama; same; trzeba; tydzien; tygodnie; tylko; wszystkie",
        "wszystko; z; za; ze; zawsze",
    )
)
"""Small words that limit or turn what a sentence says: they stay where they are."""
_LIMITING = frozenset("一二两三四五六七八九十百千万半几每第年月周日号点时只仅曾将才可能须直到至从起止前后")
"""Chinese characters of numbers, times and limits."""
_CONDITION = re.compile(
    r"\b(?:if|when|while|unless|except|or|but|because|jesli|jezeli|gdy|gdyby|kiedy|chyba|oprocz|lub|albo|ale)\b"
    r"|如果|若|要是|除|或|但|当|因为"
)
"""Words that make one part of a sentence hold only with another."""
_POINTING = frozenset(cues("he; she; it; they; him; her; his; its; them; their", "on; ona; ono; oni; jego; jej; ich"))
"""Words that point to somebody: added, they may point to somebody else."""


@lru_cache(maxsize=4096)
def terms_in_order(text: str) -> tuple[str, ...]:
    """Numbers, stems of words, and Chinese characters, in their order; without words that only join."""
    terms = list[str]()
    for match in _TERM.finditer(normalize("NFC", text)):
        plain = flat(match[0])
        if match["number"]:
            terms.append(match[0])
        elif match["han"]:
            terms += (mark for mark in plain if mark not in _JOINING)
        elif (number := small_number(plain) or 0) > 1:
            terms.append(str(number))
        elif plain in _TELLING | _POINTING or (len(plain) > 1 and plain not in FREQUENT):
            terms.append(stem_of(plain))
    return tuple(terms)


@lru_cache(maxsize=4096)
def numbers(text: str) -> frozenset[str]:
    """The numbers in digits, and those in words from two to twelve."""
    return frozenset(term for term in terms_in_order(text) if term[0].isdigit())


@lru_cache(maxsize=4096)
def telling(text: str) -> frozenset[str]:
    """The small words, and the Chinese characters, that limit or turn what a text says."""
    words = frozenset(word for word in map(flat, _words(text)) if word in _TELLING)
    return words | _LIMITING.intersection(terms_in_order(text))


@lru_cache(maxsize=4096)
def capitals(text: str) -> frozenset[tuple[str, str]]:
    """The words with a capital, of names their beginning with its accents.

    A small word with which the text begins counts for none.
    """
    words = _words(text)
    names = (
        word
        for place, word in enumerate(words)
        if not word.islower() and (place or (flat(word) not in FREQUENT and len(word) > 1))
    )
    return frozenset((word.casefold()[:_HEAD], stem_of(flat(word))) for word in names)


def _words(text: str) -> list[str]:
    return [match["word"] for match in _TERM.finditer(normalize("NFC", text)) if match["word"]]


LONGEST = 300
"""Characters of a sentence."""
MOST_FACTS = 4
"""The most facts of a sentence."""

_UNPLAIN = re.compile(r"[<>\[\]|`*\\]|://|www\.|" + MASK * 2)
_ALIKE = 0.25  # of what a fact is about has to be in a sentence that rests on it


class SentenceFault(StrEnum):
    """The reason for which a sentence is not believed."""

    NOT_PLAIN = "sentence_not_plain"
    DENIAL = "denial_reworded"
    VALUE = "value_not_in_facts"
    WORD = "word_not_in_facts"
    MIXED = "facts_mixed_up"
    LEFT_OUT = "limit_left_out"
    UNLIKE = "unlike_its_facts"


@dataclass(frozen=True)
class Grounding:
    """The limits of a sentence: the words of `facts`, at most `MOST_FACTS`, and `names`, those of the page."""

    facts: Sequence[Fact]
    names: Sequence[str]
    newer: AbstractSet[str]

    def fault(self, text: str) -> SentenceFault | None:
        """The fault of a sentence that says other things than the facts; `None` when it has no fault."""
        checks: tuple[tuple[SentenceFault, Callable[[str], bool]], ...] = (
            (SentenceFault.NOT_PLAIN, _is_plain),
            (SentenceFault.DENIAL, self._denies_alike),
            (SentenceFault.VALUE, self._has_values),
            (SentenceFault.WORD, self._has_words),
            (SentenceFault.MIXED, self._keeps_order),
            (SentenceFault.LEFT_OUT, self._keeps_limits),
            (SentenceFault.UNLIKE, self._has_all),
        )
        return next((fault for fault, passes in checks if not passes(text)), None)

    def _denies_alike(self, text: str) -> bool:
        """A denial is said in the words of its fact alone, since a word more or less turns it round."""
        if not denies(text) and not any(denies(fact.text) for fact in self.facts):
            return True
        return len(self.facts) == 1 and _letters(text) == _letters(self.facts[0].text)

    def _has_values(self, text: str) -> bool:
        """Whether each number, day, name and code stands in the facts, or is a name of the page."""
        said = (Said(fact.text, fact.day) for fact in self.facts)
        return ValuesSaid(said, known=self.names, beginnings=True).unsaid([text]) is None

    def _has_words(self, text: str) -> bool:
        """Whether each word that says something stands in the facts, in whatever form."""
        given = (*(fact.text for fact in self.facts), *self.names)
        return frozenset().union(*map(terms_in_order, given)).issuperset(terms_in_order(self._without_days(text)))

    def _keeps_order(self, text: str) -> bool:
        """Whether it says one fact after the other, each in the order of its words; the name may be added."""
        said = [term for term in terms_in_order(self._without_days(text)) if term not in self._name_words]
        facts = [[term for term in terms_in_order(fact.text) if term not in self._name_words] for fact in self.facts]
        return any(not _drop_covered(said, order) for order in permutations(facts))

    def _keeps_limits(self, text: str) -> bool:
        """Whether it has of each fact what may not be left out."""
        small, terms = numbers(text) | telling(text), frozenset(terms_in_order(text))
        return all(
            numbers(fact.text) | telling(fact.text) <= small and self._words_needed(fact) <= terms
            for fact in self.facts
        )

    def _words_needed(self, fact: Fact) -> AbstractSet[str]:
        """The words of a fact that stay: its names; all, where it replaced another one, tells a change or says "if".

        Without its names it may be about somebody else, and a part of what is new may be what was said before.
        """
        said = frozenset(terms_in_order(fact.text)) - self._name_words
        if fact.id in self.newer or replaces(fact.text) or _CONDITION.search(flat(fact.text)):
            return said
        names = {term for name in fact.entities for term in terms_in_order(name)}
        return said & (names | {stem for _, stem in capitals(fact.text)})

    def _has_all(self, text: str) -> bool:
        """Whether something of each fact is in it."""
        own, names = features(text), frozenset[str]().union(*map(features, self.names))
        about = (features(fact.text) - names for fact in self.facts)
        return all(len(one & own) >= _ALIKE * len(one) for one in about)

    @property
    def _name_words(self) -> AbstractSet[str]:
        """The words of the names of the page."""
        return {term for name in self.names for term in terms_in_order(name)}

    def _without_days(self, text: str) -> str:
        """The text without the day of its facts, where they have one."""
        days = {fact.day.isoformat() for fact in self.facts}
        return text.replace(days.pop(), " ") if len(days) == 1 else text


def _drop_covered(terms: Sequence[str], facts: Sequence[Sequence[str]]) -> Sequence[str]:
    """The terms that are left when the facts, one after the other, take as many of them as they have in this order."""
    left = list(terms)
    for fact in facts:
        own = iter(fact)
        while left and left[0] in own:  # which goes on behind the term that was found last
            del left[0]
    return left


def _is_plain(text: str) -> bool:
    """Whether it is one sentence that reads the same as a part of a paragraph."""
    if not any(map(str.isalnum, text)) or len(text) > LONGEST or _UNPLAIN.search(text):
        return False
    return text.isprintable() and inline(text) == text == one_line(text) and len(sentences(text)) == 1


def _letters(text: str) -> str:
    return one_line(normalize("NFKC", text)).strip(" .!。").casefold()
