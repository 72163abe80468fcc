"""Days, weeks, months and years that are counted from the day a text was said: yesterday, next week, 上个月."""

import re
from collections.abc import Callable, Iterator
from datetime import date

from pipeline.language.calendar_names import HAN_WEEK
from pipeline.language.time_ranges import spans
from pipeline.language.time_ranges.mentions import Mention
from pipeline.language.time_ranges.places import PlacedText
from pipeline.language.time_ranges.spans import DaySpan, Unit
from pipeline.language.time_ranges.vocabulary import (
    HAN_MONTH_ALONE,
    HAN_WEEK_ALONE,
    LAST_PL,
    NEXT_PL,
    PL_UNITS,
    THIS_PL,
)

_LATELY_DAYS = 27
_AFTER = {"two_back": -2, "three_back": -3, "back": -1, "now": 0, "ahead": 1, "two_ahead": 2}

_DAYS = re.compile(
    r"(?P<three_back>大前天)"
    r"|(?P<two_back>\bday before yesterday\b|\bprzedwczoraj(?:sz\w{1,3})?\b|(?<![以之大天月年周])前[天日](?!后))"
    r"|(?P<back>(?<!before )\byesterday\b|\blast (?:night|evening)\b|\bwczoraj(?:sz\w{1,3})?\b|昨[天日晚夜])"
    r"|(?P<two_ahead>\bday after tomorrow\b|\bpojutrze(?:jsz\w{1,3})?\b|(?<![以之天月年周])后天)"
    r"|(?P<now>(?<!usa )\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b|\bdzis(?:iaj)?\b"
    r"|今[天晚早]|今日(?!头条))"
    r"|(?P<ahead>(?<!after )\btomorrow\b|\bjutr(?:o|a|em|zejsz\w{1,3})\b|明[天晚早]|明日(?!方舟|香))"
)


def _calendar(en: str, pl: str, han: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?P<two_back>\b{en} before last\b|\b(?:przedze|zaprze)szl\w{{1,3}} (?:{pl})\b|上上{han})"
        rf"|(?P<two_ahead>\b{en} after next\b|下下{han})"
        rf"|(?P<back>\b(?:last|previous) {en}\b(?! (?:of|before)\b)|\b(?:{LAST_PL}) (?:{pl})\b|上{han})"
        rf"|(?P<now>\bthis {en}\b|\b(?:{THIS_PL}) (?:{pl})\b|[这本]{han})"
        rf"|(?P<ahead>\bnext {en}\b(?! (?:of|after)\b)|\b(?:{NEXT_PL}) (?:{pl})\b|下{han})"
    )


_CALENDAR: tuple[tuple[Unit, re.Pattern[str], Callable[[date, int], DaySpan]], ...] = (
    (Unit.WEEK, _calendar("week", PL_UNITS[Unit.WEEK], HAN_WEEK_ALONE), spans.week),
    (Unit.MONTH, _calendar("month", PL_UNITS[Unit.MONTH], HAN_MONTH_ALONE), spans.month),
    (Unit.QUARTER, _calendar("quarter", r"kwartal\w{0,2}", "个?季度"), spans.quarter),
    (Unit.DAY, _calendar("weekend", r"weekend\w{0,2}", f"个?{HAN_WEEK}末"), spans.weekend),
    (Unit.YEAR, _calendar("year", r"rok\w?", "(?!)"), spans.year),
)
_HAN_YEAR = re.compile(r"(?P<two_back>(?<![以之目])前年)|(?P<back>去年)|(?P<now>今年)|(?P<ahead>明年)")
_POLISH_YEAR = re.compile(r"(?<=\w )(?P<back>ub(?:ieglego)?\.? ?r(?:\.|oku))|(?<=\w )(?P<now>b(?:iez)?\.? ?r\.)")
_HALF = re.compile(r"(?P<first>上)半年|下半年(?!前)")
_LATELY = re.compile(
    r"\brecent(?:ly)?\b|\blately\b|\bostatnio\b|\bniedawno\b|最近(?![一二两三四五六七八九十几\d])|近来"
)
_PART_ONLY = re.compile(
    r"(?P<week>\bthe week\b(?! of)|(?<=end of )week\b|\btygodnia\b)"
    r"|(?P<month>\bthe month\b(?! of)|(?<=end of )month\b|\bmiesiaca\b"
    r"|(?<![\d个上下本这一二三四五六七八九十])月(?=[初中底末]))"
    r"|(?P<quarter>\bthe quarter\b(?! of)|(?<=end of )quarter\b|\bkwartalu\b|季度?(?=[初底末]))"
    r"|(?P<year>\bthe year\b(?! of)|(?<=end of )year\b(?! [a-z])|\broku\b(?! (?:szkoln|akadem|obrot|podatk))"
    r"|(?<![\d去今明前一二两三四五六七八九十几])年(?=[初中底末]))"
)
_WHOLE: dict[Unit, Callable[[date], DaySpan]] = {
    Unit.WEEK: spans.week,
    Unit.MONTH: spans.month,
    Unit.QUARTER: spans.quarter,
    Unit.YEAR: spans.year,
}
# "The last week" is also the last of something, or seven days; "the next" may be counted from another time.
_DOUBTFUL_BEFORE = re.compile(r"(?:\bthe|\bevery|\bkazd\w{1,3}) $")
_DOUBTFUL = re.compile(r"(?:previous|poprzedni|nastepn|next weekend|przyszl\w{1,3} weekend|t[aey] )")


def relative_mentions(text: PlacedText, today: date) -> Iterator[Mention]:
    """The mentions of days, weeks, weekends, months, quarters and years, and of the time just before today."""
    for match in _DAYS.finditer(text.plain):
        yield Mention(*match.span(), spans.day(today, _after(match)))
    for unit, pattern, span in _CALENDAR:
        for match in pattern.finditer(text.plain):
            yield Mention(*match.span(), span(today, _after(match)), unit, sure=_is_sure(match))
    for pattern in (_HAN_YEAR, _POLISH_YEAR):
        for match in pattern.finditer(text.plain):
            yield Mention(*match.span(), spans.year(today, _after(match)), Unit.YEAR)
    for match in _HALF.finditer(text.plain):
        whole = spans.months(today.year, 1 if match["first"] else 7, 6)
        yield Mention(*match.span(), whole, Unit.QUARTER)
    for match in _LATELY.finditer(text.plain):
        lately = DaySpan(spans.day(today, -_LATELY_DAYS).first, today)
        yield Mention(*match.span(), lately, Unit.MONTH, sure=False)
    for match in _PART_ONLY.finditer(text.plain):
        unit = Unit(match.lastgroup or "")
        yield Mention(*match.span(), _WHOLE[unit](today), unit, partial=True)


def _after(match: re.Match[str]) -> int:
    return _AFTER[match.lastgroup or ""]


def _is_sure(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - 8) : match.start()]
    named_alone = match.lastgroup in {"back", "ahead"} and _DOUBTFUL_BEFORE.search(before)
    return not named_alone and not _DOUBTFUL.match(match[0])
