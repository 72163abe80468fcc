"""Dates as terms, so that 2026-02-20, 20.02.2026, 20 February 2026, 20 lutego 2026 and 2026年2月20日 are one.

A date is found by its day, its month and its year, and by a day or a month whose year is left out; these two are
written --02-20 and --02, as ISO 8601 did.
"""

import re
from typing import Final

# Polish names stand here in the cases dates are written in. The index makes terms of them: see `analysis.VERSION`.
_NAMES = (
    "jan january styczen stycznia styczniu styczniem",
    "feb february luty lutego lutym lutemu",
    "mar march marzec marca marcu marcem",
    "apr april kwiecien kwietnia kwietniu kwietniem",
    "may maj maja maju majem",
    "jun june czerwiec czerwca czerwcu czerwcem",
    "jul july lipiec lipca lipcu lipcem",
    "aug august sierpien sierpnia sierpniu sierpniem",
    "sep sept september wrzesien wrzesnia wrzesniu wrzesniem",
    "oct october pazdziernik pazdziernika pazdzierniku",
    "nov november listopad listopada listopadzie",
    "dec december grudzien grudnia grudniu",
)
MONTHS: Final = {name: month for month, names in enumerate(_NAMES, start=1) for name in names.split()}
"""The number of a month by its name, in lower case without accents."""

MONTH: Final = "|".join(sorted(MONTHS, key=len, reverse=True))
"""Any of these names, for a pattern."""

_SHORT = {name for name in MONTHS if len(name) <= len("sept")}
DOUBTFUL: Final = (_SHORT - {"luty", "june", "july"}) | {"march", "maja", "august"}
"""Names that are other words too: they are months beside a day, a year or a preposition."""

WEEKDAYS: Final = {
    "mon": "mondays?|poniedzial[a-z]+",
    "tue": "tuesdays?|wtor(?:ek|k)[a-z]*",
    "wed": "wednesdays?|srod(?:a|y|e|zie|ami|ach)",
    "thu": "thursdays?|czwart(?:ek|k)[a-z]*",
    "fri": "fridays?|piat(?:ek|k)[a-z]*",
    "sat": "saturdays?|sobot[a-z]*",
    "sun": "sundays?|niedziel[a-z]*",
}
"""The days of the week from Monday on, in any case and number."""

HAN_WEEK: Final = "(?:周|星期|礼拜)"
HAN_WEEKDAYS: Final = "一二三四五六日天"
"""The characters behind `HAN_WEEK`, from Monday on; the last two are both Sunday."""

PARTS_OF_DAY: Final = {
    "morning": "mornings?|rano",
    "noon": "noon|w poludnie",
    "afternoon": "afternoons?|po ?poludniu",
    "evening": "evenings?|wieczor[a-z]*",
    "night": "nights?|midnight|noca",
}
HAN_PARTS_OF_DAY: Final = {
    "早上": "morning",
    "上午": "morning",
    "中午": "noon",
    "下午": "afternoon",
    "傍晚": "evening",
    "晚上": "evening",
    "凌晨": "night",
    "半夜": "night",
}
TODAY: Final = r"\b(?:today|tonight|dzis(?:iaj)?)\b|今[天晚日]"


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


def _named_dates(forms: tuple[str, ...]) -> str:
    """A pattern of the forms, with the months' own names in the place of any word, and without groups."""
    any_form = re.sub(r"\?P<(?!name)\w+>", "?:", "|".join(forms))
    return any_form.replace(_NAME, f"(?i:{MONTH})")


# The conditions in front are cheap and nearly always false: the forms themselves would be tried at each character.
PATTERN: Final = (
    rf"(?=\d)(?<!\w)(?:{_named_dates(_FROM_DIGITS)})|(?=[A-Za-z]{{3,12}}\.? \d)(?<!\w)(?:{_named_dates(_FROM_NAME)})"
)
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


def question_terms(token: str) -> tuple[str, ...]:
    """The terms of a date in a question: with its year and without it, and not those of its month too.

    The term of a month stands in nearly every file of that month.
    """
    terms = of(token)
    dated, yearless = ([term for term in terms if term.startswith("-") is bare] for bare in (False, True))
    return (*dated[-1:], *yearless[-1:])


def _terms(year: str = "", month: str = "", day: str = "", name: str = "") -> tuple[str, ...]:
    number = MONTHS[name.casefold()] if name else int(month or 0)
    parts = [f"-{number:02}"] if number else []
    parts += [f"-{int(day):02}"] if day else []
    dates = ["".join(parts[:count]) for count in range(1, len(parts) + 1)]  # -02, -02-20
    with_year = [year, *(year + written for written in dates)] if year else []
    return (*with_year, *(f"-{written}" for written in dates))
