"""A text without what people leave out when they type in haste: accents, capitals, traditional characters.

Three ways, because three things have to stay: the case of letters, where an index parts `userId`; the places, where a
span found in the folded text has to hold in the text itself; and nothing, where texts are only compared.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

from pipeline.language.chinese import simplified_in_talk

# Accents, variation selectors, and characters without width, which stand inside words for the eye only.
_UNSEEN = re.compile(
    "[\u00ad\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u2060\u20d0-\u20ff\ufe00-\ufe0f\ufeff]+"
)
# Letters that look like one with an accent and are none to Unicode; and the apostrophe as typesetters write it.
_PLAIN: Final = str.maketrans("łŁøØđĐ\u2019", "lLoOdD'")
_MARKS = re.compile(r"[\W_]+")
_VARIANTS: Final = {"ł": "l", "Ł": "L", "\u2019": "'", "\u2018": "'", "`": "'"}


def remove_accents(text: str) -> str:
    """No accents, no invisible characters, no full-width or other forms of a character; the case stays."""
    if text.isascii():
        return text
    bare = _UNSEEN.sub("", unicodedata.normalize("NFKD", text))
    return unicodedata.normalize("NFC", bare).translate(_PLAIN)


@lru_cache(maxsize=65536)
def flat(text: str) -> str:
    """The same in lower case and in simplified characters, for comparing; the length may change."""
    return remove_accents(text).casefold().translate(simplified_in_talk())


@lru_cache(maxsize=65536)
def folded_words(text: str) -> str:
    """The letters and digits of a text alone, as they are compared: no spaces, no marks, nothing invisible."""
    return _MARKS.sub("", flat(text))


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """Lower case, no accents, simplified characters, straight apostrophes; the length stays, and so do wide marks."""
    return "".join(map(_fold_letter, text))


@lru_cache(maxsize=8192)
def _fold_letter(character: str) -> str:
    character = _VARIANTS.get(character) or character.translate(simplified_in_talk())
    base = unicodedata.normalize("NFD", character)[:1]
    lower = base.lower()
    return lower if len(lower) == 1 else base
