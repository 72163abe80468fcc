"""Times so many days, weeks, months or years away: three days ago, za tydzień, 两周后, the last two weeks."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from pipeline.language.time_ranges import spans
from pipeline.language.time_ranges.mentions import Boundary, Mention
from pipeline.language.time_ranges.places import PlacedText
from pipeline.language.time_ranges.spans import DaySpan, Unit
from pipeline.language.time_ranges.tense import Tense, tense_of
from pipeline.language.time_ranges.vocabulary import COUPLE, EN_UNITS, FEW, HAN_UNITS, PL_UNITS, number

_NUMBER = r"(?P<number>\d{1,3}|[a-z]{1,12})"
_HAN_NUMBER = r"(?<![\d.第零一二两三四五六七八九十百千万亿])(?P<{0}>\d{{1,3}}|[一二两三四五六七八九十]{{1,3}}|好?几)"
_COUNT = rf"\b(?:(?:a )?(?P<few>{FEW}|{COUPLE})|{_NUMBER})"
_EN, _PL, _HAN = (
    "|".join(f"(?P<{tongue}_{unit}>{words})" for unit, words in units.items())
    for tongue, units in (("en", EN_UNITS), ("pl", PL_UNITS), ("han", HAN_UNITS))
)
_SHORT = r"\b(?P<short>\d{1,3}) ?(?:(?P<s_day>d)|(?P<s_week>w|wks?)|(?P<s_month>mon?s?)|(?P<s_year>y|yrs?)) ago\b"
_AGO = re.compile(
    rf"{_COUNT} (?:(?:{_EN}) ago|(?:{_PL}) temu)\b|{_SHORT}|"
    rf"{_HAN_NUMBER.format('chinese')} ?(?:{_HAN})(?:以|之)?前(?![天日后])"
)
_ONE_AGO = re.compile(
    r"\b(?:(?P<half>pol roku)|(?P<day>dzien)|(?P<week>tydzien)|(?P<month>miesiac)|(?P<year>rok)) temu\b"
    r"|(?P<half_han>半年(?:以|之)?前)"
)
_AHEAD = re.compile(
    rf"\b(?:in )(?:(?:a )?(?P<few>{FEW}|{COUPLE})|{_NUMBER}) (?:{_EN})(?: time)?\b(?!')"
    rf"|{_HAN_NUMBER.format('chinese')} ?(?:{_HAN})(?:以|之)?后"
)
_FROM_NOW = re.compile(rf"{_COUNT} (?:{_EN}) from (?:now|today)\b")
_ONE_PL = r"(?:(?P<o_week>tydzien|tygodnia)|(?P<o_month>miesiaca?)|(?P<o_year>roku?))\b(?! \d)"
_ZA = re.compile(
    rf"(?<!\d )\bza (?:(?:(?P<few>{FEW})|{_NUMBER}) (?:{_PL})|{_ONE_PL})\b"
    r"(?! (?:prac|urlop|wynaj|opozn|zwlok|pobyt|uzytk))"
)
_PAID = re.compile(
    r"\b(?:za|wy|o)?pla[ct]\w{0,8}|\bfaktur\w{0,3}|\brachun\w{0,4}|\bstawk\w{0,3}|\bkar\w{1,2}\b|\d ?(?:zl|pln|eur)\b"
)
_PAST_SPAN = re.compile(
    rf"\b(?:last|past|previous) (?:(?P<few>{FEW}|{COUPLE})|{_NUMBER}) (?:{_EN})\b(?! (?:of|in)\b)"
    rf"|\b(?:the )?past (?P<one>{'|'.join(f'(?P<o_{unit}>{unit})' for unit in EN_UNITS)})\b"
    rf"|\bostatni\w{{1,3}} (?:(?P<few_pl>{FEW})|(?P<number_pl>\d{{1,3}}|[a-z]{{1,12}})) (?:{_PL})\b"
    rf"|(?:最近|过去|近)这?{_HAN_NUMBER.format('chinese')} ?(?:{_HAN})(?!前)"
)
_NEXT_SPAN = re.compile(
    rf"\b(?:the )?next (?:(?P<few>{FEW}|{COUPLE})|{_NUMBER}) (?:{_EN})\b(?! (?:of|in)\b)"
    rf"|\bnajblizsz\w{{1,3}} (?:(?P<few_pl>{FEW})|(?P<number_pl>\d{{1,3}}|[a-z]{{1,12}})) (?:{_PL})\b"
    rf"|(?:未来|接下来)的?{_HAN_NUMBER.format('chinese')} ?(?:{_HAN})(?!前)"
)
_OD = re.compile(
    rf"\bod (?:(?:(?P<few>{FEW})|{_NUMBER}) (?:{_PL})|{_ONE_PL})\b(?! (?:do|wzwyz|w gore|zycia|urodz|wiezienia)\b)"
)
_MORE_BEFORE = re.compile(r"(?:\bover|\bthan|\bleast|\bponad|\bniz|\bnajmniej|\bat most|超过|不到|[约近]) ?$")
_OLDER = re.compile("以前|日[以之]?前")  # 三天以前 is also older than three days, 五日前 also before the fifth
_FEWEST, _MOST = 2, 5
_COUPLE = (1, 3)


def distant_mentions(text: PlacedText, today: date) -> Iterator[Mention]:
    """The mentions of times at a distance from today, and of stretches that end today."""
    for pattern in (_AGO, _ONE_AGO):
        yield from _points(text, today, pattern, -1)
    yield from (mention for mention in _points(text, today, _AHEAD, 1) if _lies_ahead(text, mention))
    yield from _points(text, today, _FROM_NOW, 1)
    yield from (mention for mention in _points(text, today, _ZA, 1) if not _PAID.search(text.clause(mention.start)))
    yield from _stretches(text, today, _PAST_SPAN, -1)
    yield from _stretches(text, today, _NEXT_SPAN, 1)
    yield from (replace(mention, boundary=Boundary.SINCE) for mention in _stretches(text, today, _OD, -1))


def _stretches(text: PlacedText, today: date, pattern: re.Pattern[str], sign: int) -> Iterator[Mention]:
    """The days between today and so many units away."""
    for match in pattern.finditer(text.plain):
        if bounds := _bounds(match):
            unit = _unit(match)
            far = spans.moved(today, unit, sign * bounds[1])
            yield Mention(*match.span(), DaySpan(min(today, far), max(today, far)), unit)


def _lies_ahead(text: PlacedText, mention: Mention) -> bool:
    """In three days may be how long it took, 三天后 may be told of the past: a tense tells."""
    tense = tense_of(text.clause(mention.start))
    return tense is Tense.FUTURE or (tense is None and not text.plain[mention.start : mention.end].isascii())


def _points(text: PlacedText, today: date, pattern: re.Pattern[str], sign: int) -> Iterator[Mention]:
    for match in pattern.finditer(text.plain):
        if bounds := _bounds(match):
            unit = _unit(match)
            near, far = (spans.moved(today, unit, sign * count) for count in bounds)
            slack = timedelta() if near != far else _SLACK[unit]
            span = DaySpan(min(near, far) - slack, max(near, far) + slack)
            more = _MORE_BEFORE.search(text.plain, max(0, match.start() - 12), match.start())
            sure = not more and not _OLDER.search(match[0])
            yield Mention(*match.span(), span, unit, sure=sure)


_SLACK = {
    Unit.DAY: timedelta(),
    Unit.WEEK: timedelta(days=3),
    Unit.MONTH: timedelta(days=15),
    Unit.YEAR: timedelta(days=182),
}
"""People round, and the more the longer it is."""


def _unit(match: re.Match[str]) -> Unit:
    names = (name.rpartition("_")[2] for name, value in match.groupdict().items() if value)
    return next((Unit(name) for name in names if name in set(Unit)), Unit.MONTH)


def _bounds(match: re.Match[str]) -> tuple[int, int] | None:
    """The least and the most units away."""
    groups = {name: value for name, value in match.groupdict().items() if value}
    if "half" in groups or "half_han" in groups:
        return (6, 6)
    counted = next((groups[name] for name in ("number", "number_pl", "chinese", "short") if name in groups), "1")
    vague = groups.get("few") or groups.get("few_pl") or (counted if counted.endswith("几") else "")
    if vague:
        return _COUPLE if vague.startswith("couple") else (_FEWEST, _MOST)
    count = number(counted)
    return (count, count) if count else None
