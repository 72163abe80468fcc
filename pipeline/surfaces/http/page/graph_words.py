"""Words in boxes of a picture: cut by an estimate of their width, without marks that turn the text around them."""

import unicodedata

_WIDE, _TALL, _PLAIN = 13.2, 9.2, 7.0
"""Pixels of a character: of Chinese, of a capital letter or a digit, of any other; rather too many than too few."""
_NO_WIDTH = {"Mn", "Me", "Cf"}
_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
"""Of the marks that nobody sees, those that letters of some scripts need."""
_CUT = "\N{HORIZONTAL ELLIPSIS}"


def lines_of(text: str, width: float, most: int) -> tuple[str, ...]:
    """At most so many lines of a text, none wider than `width` pixels; the last is cut with a mark."""
    rest, lines = plain_words(text), list[str]()
    while rest and len(lines) < most:
        taken = _fitting(rest, width)
        if taken == len(rest) or len(lines) + 1 < most:
            place = taken if taken == len(rest) else (rest.rfind(" ", 1, taken + 1) + 1 or taken)
            lines.append(rest[:place].rstrip())
            rest = rest[place:].lstrip()
        else:
            cut = _fitting(rest, width - _WIDE)
            lines.append(rest[:cut].rstrip() + _CUT)
    return tuple(lines)


def plain_words(text: str) -> str:
    """A text on one line, without marks that steer what is around it."""
    if text.isprintable():  # nearly all are
        return " ".join(text.split())
    kept = (" " if character.isspace() else character for character in text if _is_shown(character))
    return " ".join("".join(kept).split())


def _is_shown(character: str) -> bool:
    return character.isspace() or character in _JOINERS or unicodedata.category(character) not in _HIDDEN


def _fitting(text: str, width: float) -> int:
    """How many characters fit; at least one."""
    used = 0.0
    for number, character in enumerate(text):
        used += _width(character)
        if used > width:
            return max(1, number)
    return len(text)


def _width(character: str) -> float:
    if unicodedata.category(character) in _NO_WIDTH:
        return 0.0
    if unicodedata.east_asian_width(character) in {"W", "F"}:
        return _WIDE
    return _TALL if character.isupper() or character.isdigit() or character in "mwMW@%" else _PLAIN
