"""The days that a text names: dates as `2-20`, days of the week as `mon`, in English, Polish and Chinese."""

import re
from datetime import date

_MONTHS = (
    "january|jan|stycz(?:en|nia|niu)",
    "february|feb|lut(?:y|ego|ym)",
    "march|mar|marz?ec|marca|marcu",
    "april|apr|kwie(?:cien|tnia|tniu)",
    "may|maj[au]?",
    "june|jun|czerw(?:iec|ca|cu)",
    "july|jul|lip(?:iec|ca|cu)",
    "august|aug|sierp(?:ien|nia|niu)",
    "september|sept?|wrze(?:sien|snia|sniu)",
    "october|oct|pazdziernik[a-z]*",
    "november|nov|listopad[a-z]*",
    "december|dec|grud(?:zien|nia|niu)",
)
_WEEK = {
    "mon": "mondays?|poniedzial[a-z]+",
    "tue": "tuesdays?|wtor(?:ek|k)[a-z]*",
    "wed": "wednesdays?|srod(?:a|y|e|zie|ami|ach)",
    "thu": "thursdays?|czwart(?:ek|k)[a-z]*",
    "fri": "fridays?|piat(?:ek|k)[a-z]*",
    "sat": "saturdays?|sobot[a-z]*|sobota",
    "sun": "sundays?|niedziel[a-z]*",
}
_WEEK_HAN = dict(zip("一二三四五六日天", ("mon", "tue", "wed", "thu", "fri", "sat", "sun", "sun"), strict=True))
_MONTH = "|".join(f"(?P<m{place}>{names})" for place, names in enumerate(_MONTHS, 1))
_DATE = re.compile(
    rf"\b(?:(?P<before>\d{{1,2}})(?:st|nd|rd|th|\.)?(?: of)? )?"
    rf"(?:{_MONTH})\b\.?(?: (?:the )?(?P<after>\d{{1,2}})(?![\d:.]))?"
)
_DATE_HAN = re.compile(r"(?P<month>\d{1,2})\s?月\s?(?P<day>\d{1,2})")
_WEEKDAY = re.compile(r"\b(?:" + "|".join(f"(?P<{day}>{names})" for day, names in _WEEK.items()) + r")\b")
_WEEKDAY_HAN = re.compile(r"(?<![一二两三四五六七八九十几\d])(?:周|星期|礼拜)([一二三四五六日天])")
_TODAY = re.compile(r"\b(?:today|tonight|dzis(?:iaj)?)\b|今[天晚日]")

_PARTS = {
    "morning": r"\b(?:mornings?|rano)\b|早上|上午",
    "noon": r"\b(?:noon|w poludnie)\b|中午",
    "afternoon": r"\b(?:afternoons?|po ?poludniu)\b|下午",
    "evening": r"\b(?:evenings?|wieczor[a-z]*)\b|傍晚|晚上",
    "night": r"\b(?:nights?|midnight|noca)\b|凌晨|半夜",
}
_PART_OF_DAY = re.compile("|".join(f"(?P<{part}>{words})" for part, words in _PARTS.items()))


def dates(folded: str, today: date) -> frozenset[str]:
    """The dates of a folded text, month and day; `today` is the day it was said on."""
    found = {f"{today.month}-{today.day}"} if _TODAY.search(folded) else set()
    for match in _DATE.finditer(folded):
        day = match["after"] or match["before"]
        month = next(place for place in range(1, len(_MONTHS) + 1) if match[f"m{place}"])
        if day:
            found.add(f"{month}-{int(day)}")
    return frozenset(found | {f"{int(match['month'])}-{int(match['day'])}" for match in _DATE_HAN.finditer(folded)})


def weekdays(folded: str) -> frozenset[str]:
    """The days of the week in a folded text."""
    found = {str(match.lastgroup) for match in _WEEKDAY.finditer(folded)}
    return frozenset(found | {_WEEK_HAN[match.group(1)] for match in _WEEKDAY_HAN.finditer(folded)})


def parts_of_day(folded: str) -> frozenset[str]:
    """Mornings, evenings and the like in a folded text."""
    return frozenset(str(match.lastgroup) for match in _PART_OF_DAY.finditer(folded))


def undated(folded: str) -> str:
    """A folded text without what names a day: a day is when, not what."""
    for pattern in (_DATE_HAN, _WEEKDAY, _WEEKDAY_HAN, _PART_OF_DAY, _TODAY):
        folded = pattern.sub(" ", folded)
    return _DATE.sub(lambda match: " " if match["after"] or match["before"] else match.group(), folded)
