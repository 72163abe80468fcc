"""Dates as terms, so that 2026-02-20, 20.02.2026, 20 February 2026, 20 lutego 2026 and 2026年2月20日 are one.

A date is found by its day, its month and its year, and by a day or a month whose year is left out; these two are
written --02-20 and --02, as ISO 8601 did.
"""

import re
from typing import Final

from pipeline.language.calendar_names import MONTH, MONTHS

# A short name alone, or one that is also a verb or a person, means a month only beside a day or a year.
_ALONE = {name: f"--{month:02}" for name, month in MONTHS.items() if len(name) > len("march")}

_Y, _M, _D = r"(?P<year>(?:19|20)\d\d)", r"(?P<month>1[0-2]|0?[1-9])", r"(?P<day>3[01]|[12]\d|0?[1-9])"
_MM, _DD = _M.replace("0?", "0"), _D.replace("0?", "0")
_TH = "(?i:st|nd|rd|th)?"
_NAME = "(?P<name>[A-Za-z]+)"
_FROM_DIGITS = (
    rf"{_Y}[-/.]{_MM}[-/.]{_DD}(?![-/.]?\d)",
    rf"{_Y}[-/]{_MM}(?![-/.]?\d)",
    rf"{_D}[-.]{_M}[-.]{_Y}(?![-/.]?\d)",
    rf"{_D}{_TH}\.? (?:(?i:of) )?{_NAME}\b(?:\.?,? {_Y}\b)?",
    rf"{_Y} ?年(?: ?{_M} ?月(?: ?{_D} ?[日号號])?)?",
    rf"{_M} ?月(?: ?{_D} ?[日号號])?",
)
_FROM_NAME = (
    rf"{_NAME}\.? {_D}{_TH}\b(?:,? {_Y}\b)?",
    rf"{_NAME}\.? {_Y}\b",
)


def _named(forms: tuple[str, ...]) -> str:
    """Any of the forms, with the months' own names in the place of any word, and without groups."""
    any_form = re.sub(r"\?P<(?!name)\w+>", "?:", "|".join(forms))
    return any_form.replace(_NAME, f"(?i:{MONTH})")


# The conditions in front are cheap and nearly always false: the forms themselves would be tried at each character.
PATTERN: Final = rf"(?=\d)(?<!\w)(?:{_named(_FROM_DIGITS)})|(?=[A-Za-z]{{3,12}}\.? \d)(?<!\w)(?:{_named(_FROM_NAME)})"
"""A date at the beginning of a word."""

# In a name the digits may also stand side by side: DECISION-20260220-...
_FORMS = (*_FROM_DIGITS, *_FROM_NAME, _Y + _MM + _DD)
_WITHIN = re.compile(re.sub(r"\?P<\w+>", "?:", rf"(?<!\d){_Y}-{_MM}(?:-{_DD})?(?!\d)"))


def of(token: str) -> tuple[str, ...]:
    """The terms of a date; nothing when it is none."""
    if token.isascii() and token.isalnum() and len(token) != len("20260220"):
        return ()
    date_match = next((match for form in _FORMS if (match := re.fullmatch(form, token))), None)
    return _terms(**date_match.groupdict(default="")) if date_match else ()


def of_month(word: str) -> tuple[str, ...]:
    """The month that a word in lower case names by itself."""
    return (_ALONE[word],) if word in _ALONE else ()


def inside(name: str) -> tuple[str, ...]:
    """The terms of the dates within a file's name or an identifier."""
    return tuple(term for date in _WITHIN.findall(name) for term in of(date))


def asked(token: str) -> tuple[str, ...]:
    """The terms of a date in a question: with its year and without it, and not those of its month too.

    The term of a month stands in nearly every file of that month.
    """
    terms = of(token)
    dated, yearless = ([term for term in terms if term.startswith("-") is bare] for bare in (False, True))
    return (*dated[-1:], *yearless[-1:])


def _terms(year: str = "", month: str = "", day: str = "", name: str = "") -> tuple[str, ...]:
    number = MONTHS[name.casefold()] if name else int(month or 0)
    month = f"-{number:02}" if number else ""
    day = f"-{int(day):02}" if day else ""
    with_year = (year, year and month and year + month, year and day and year + month + day)
    without = (month and "-" + month, day and "-" + month + day)
    return tuple(filter(None, (*with_year, *without)))
