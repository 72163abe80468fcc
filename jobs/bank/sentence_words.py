"""The words of a sentence that say something, for comparing it with its facts: English, Polish and Chinese."""

import re
from collections.abc import Iterator
from functools import lru_cache
from unicodedata import normalize

from pipeline.language.cues import cues
from pipeline.language.folding import flat
from pipeline.language.han import CHARACTERS
from pipeline.language.numerals import small_number
from pipeline.language.stems import of as stem_of
from pipeline.language.stopwords import FREQUENT

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
"""What makes one part of a sentence hold only with another."""
_POINTING = frozenset(cues("he; she; it; they; him; her; his; its; them; their", "on; ona; ono; oni; jego; jej; ich"))
"""Words that point to somebody: added, they may point to somebody else."""


@lru_cache(maxsize=4096)
def terms_in_order(text: str) -> tuple[str, ...]:
    """Numbers, stems of words, and Chinese characters, in their order; without words that only join."""
    return tuple(_terms(text))


def _terms(text: str) -> Iterator[str]:
    for match in _TERM.finditer(normalize("NFC", text)):
        plain = flat(match[0])
        if match["number"]:
            yield match[0]
        elif match["han"]:
            yield from (mark for mark in plain if mark not in _JOINING)
        elif (number := small_number(plain) or 0) > 1:
            yield str(number)
        elif plain in _TELLING | _POINTING or (len(plain) > 1 and plain not in FREQUENT):
            yield stem_of(plain)


@lru_cache(maxsize=4096)
def numbers(text: str) -> frozenset[str]:
    """The numbers in digits, and those in words from two to twelve."""
    return frozenset(term for term in terms_in_order(text) if term[0].isdigit())


@lru_cache(maxsize=4096)
def telling(text: str) -> frozenset[str]:
    """The small words, and the Chinese characters, that limit or turn what a text says."""
    words = frozenset(word for word in map(flat, _words(text)) if word in _TELLING)
    return words | _LIMITING.intersection(terms_in_order(text))


def has_condition(text: str) -> bool:
    """Whether one part of a text holds only with another."""
    return _CONDITION.search(flat(text)) is not None


@lru_cache(maxsize=4096)
def capitals(text: str, *, every: bool = False) -> frozenset[tuple[str, str]]:
    """The words with a capital, of names their beginning with its accents; with `every` all words.

    A small word with which the text begins counts for none.
    """
    words = _words(text)
    names = (word for place, word in enumerate(words) if every or not (word.islower() or (not place and _joins(word))))
    return frozenset((word.casefold()[:_HEAD], stem_of(flat(word))) for word in names)


def _words(text: str) -> list[str]:
    return [match["word"] for match in _TERM.finditer(normalize("NFC", text)) if match["word"]]


def _joins(word: str) -> bool:
    return flat(word) in FREQUENT or len(word) == 1
