"""Identifiers, paths, addresses and versions: whole, by their segments, and by the words they are made of."""

import re
from typing import Final

from pipeline.language import date_terms, han, stems

_WORD = rf"[^\W_{han.CHARACTERS}]+"
PATTERN: Final = rf"@?{_WORD}(?:(?:[-._/\\@:+=?&#~]{{1,3}}|(?<=\d),(?=\d)){_WORD})*(?:(?<=\d)\s?%)?"
"""Words and what joins them without a space. Each character can be read in one way only: linear in any text."""

_LONGEST: Final = 80  # a longer one is not searched for as a whole
_SEGMENTS = re.compile(r"[/\\@:+=?&#~,%]+")
_WORDS = re.compile(r"[^\W_]+")
_HUMPS = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# user_id, user-id and userId are one name; 2026-02 and 10-20 are not 202602 and 1020.
_JOINTS = re.compile(r"(?<=[^\W\d])[-_]+(?=\w)|(?<=\d)[-_]+(?=[^\W\d])")
_VERSION = re.compile(r"v(\d[\w.]*)")


def of(token: str) -> tuple[str, ...]:
    """The terms of a token that is more than a word: each name once, then each word in it."""
    parts = [part for word in _WORDS.findall(token) for part in _HUMPS.split(word)]
    if len(parts) == 1:
        return _of_part(parts[0].casefold())
    segments = dict.fromkeys((token, *filter(_is_compound, _SEGMENTS.split(token))))
    names = [name for segment in segments if len(segment) <= _LONGEST for name in _names(segment)]
    words = [part for part in parts if part[1:]] or (() if names else parts)  # a letter by itself has no meaning
    return (*names, *(term for word in words for term in _of_part(word.casefold())))


def _is_compound(segment: str) -> bool:
    return len(_WORDS.findall(segment)) > 1 or _HUMPS.search(segment) is not None


def _names(segment: str) -> tuple[str, ...]:
    name = _JOINTS.sub("", segment.casefold())
    if name.isalpha():
        return (stems.of(name),)  # the form of a question that joins the words without a sign
    version = _VERSION.fullmatch(name)
    return (name, *((version[1],) if version else date_terms.inside(segment)))


def _of_part(part: str) -> tuple[str, ...]:
    return date_terms.of(part) or (stems.of(part),)
