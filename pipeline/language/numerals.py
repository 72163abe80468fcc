"""Numbers, however their thousands and decimals are set apart."""

import re
from typing import Final

SPACED: Final = r"(?=\d)(?<!\w)\d{1,3}(?: \d{3})+(?!\w)(?:,\d+)?"
"""1 000 and 12 500,50; what was two numbers side by side stays findable, since the groups are terms too."""
GROUPED: Final = r"\d{1,3}(?:(?: \d{3})+|(?:,\d{3})+|(?:\.\d{3})+)(?!\d)(?:[.,]\d+)?"
"""A number whose thousands are set apart, by one and the same mark."""
MONEY: Final = r"[€£¥]|\$(?=\d)"

_LONGEST: Final = 64  # a longer one is no number
_SIGNS = {"€": "eur", "£": "gbp", "¥": "cny", "$": "usd"}
_NUMBER = re.compile(r"(\d+(?:[ .,]\d+)*)(\s?%)?")
_THOUSANDS = re.compile(r"\d{1,3}(?:([ .,])\d{3})(?:\1\d{3})*(?:[.,]\d+)?")


_WORDS = (
    *("a an one jeden 一", "two couple dwa dwie 二 两", "three few trzy kilka 三 几", "four cztery 四", "five piec 五"),
    *("six szesc 六", "seven siedem 七", "eight osiem 八", "nine dziewiec 九", "ten dziesiec 十"),
    *("eleven jedenascie 十一", "twelve dwanascie 十二"),
)
_SMALL = {word: number for number, words in enumerate(_WORDS, start=1) for word in words.split()}


def small_number(word: str) -> int | None:
    """A whole number in digits or, up to twelve, in a word of a flat text; `None` when it is neither."""
    is_number = word.isascii() and word.isdigit() and len(word) <= _LONGEST
    return int(word) if is_number else _SMALL.get(word)


def of(token: str) -> tuple[str, ...]:
    """A number in digits with a point before its decimals, once more with its percent sign; or a currency's code."""
    if token in _SIGNS:
        return (_SIGNS[token],)
    match = _NUMBER.fullmatch(token) if len(token) <= _LONGEST else None
    if not match:
        return ()
    number = normalize_number(match[1])
    groups = match[1].split(" ") if " " in match[1] else ()
    return (number, *groups, *((f"{number}%",) if match[2] else ()))


def normalize_number(number: str) -> str:
    """A number in digits without marks between its thousands, and with a point before its decimals.

    1,000 and 1.000 are a thousand: three digits after a mark are a group, even if the author meant decimals.
    """
    grouped = _THOUSANDS.fullmatch(number)
    if grouped:
        number = number.replace(grouped[1], "")
    return number.replace(",", ".")
