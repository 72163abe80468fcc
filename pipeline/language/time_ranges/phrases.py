"""Days of the week and weekends: last Friday, w przyszłą środę, 下周三; and those whose week is not named."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from enum import Enum, auto

from pipeline.language.date_terms import HAN_WEEK, HAN_WEEKDAYS, WEEKDAYS
from pipeline.language.time_ranges import spans
from pipeline.language.time_ranges.spans import (
    COUPLE,
    EN_UNITS,
    FEW,
    HAN_MONTH_ALONE,
    HAN_UNITS,
    HAN_WEEK_ALONE,
    HAN_WEEKDAY,
    LAST_PL,
    NEXT_PL,
    PL_UNITS,
    THIS_PL,
    Boundary,
    DaySpan,
    Mention,
    PlacedText,
    Unit,
    number,
)


class Tense(Enum):
    """The time of a clause."""

    PAST = auto()
    FUTURE = auto()


_FUTURE = re.compile(
    r"\b(?:will|shall|going to|gonna|won't|plan(?:s|ning)? to|"
    r"bed[ea]|bedzie(?:my|cie|sz)?|zamierza\w{0,3}|planuj\w{0,3}|mam zamiar)\b|'ll\b|"
    r"将|(?<![开社机协聚约晚体都误学])会(?![议员计])|要(?!求)|打算|计划|准备|预计"
)
# Verbs of plans and promises tell when they were made, and not when the thing is.
_NO_PAST = (
    "scheduled|planned|expected|supposed|needed|required|based|hundred|limited|booked|reserved|promised|announced|"
    "confirmed|offered|requested|ordered|invited|proposed|suggested|postponed|rescheduled|pushed|shifted|embed"
)
_PAST = re.compile(
    r"\b(?:was|were|did|didn't|had|went|came|met|saw|got|took|made|began|bought|sent|wrote|left|ran|spoke|flew|slept|"
    rf"ate|drove|spent|(?!{_NO_PAST})[a-z]{{2,12}}(?<!e)ed|byl[aioy]?|mial[aioy]?|mieli|"
    r"\w{2,20}(?:l[ae]m|[ial]ismy|alysmy|ilysmy)|posz(?:edl|la|li)|przysz(?:edl|la|li)|pojechal\w{0,3}|"
    r"przyjechal\w{0,3}|wrocil\w{0,3}|spotkal\w{0,3}|zrobil[aioy]?|napisal[aioy]?|kupil[aioy]?|wyslal[aioy]?|"
    r"ustalil[aioy]?|wdrozyl[aioy]?|dzialo|odbyl[aioy]?)\b|了|过(?![去程年])|曾"
)
# A promise was made, and what it is about lies ahead: "agreed to ship on Friday".
_OPEN = re.compile(
    r"\b(?:to(?! the| our| my| a )|should|must|can|could|would|may|is|are|musi\w{0,3}|trzeba|nalezy|ma(?:m|ja)?|"
    r"if|jesli|jezeli)\b|'s\b|'re\b|应该|如果"
)


def tense_of(clause: str) -> Tense | None:
    """The tense of a clause of a plain text; nothing when its words do not say it, or say both."""
    if _FUTURE.search(clause):
        return None if _PAST.search(clause) else Tense.FUTURE
    return Tense.PAST if _PAST.search(clause) and not _OPEN.search(clause) else None


NEAR = timedelta(days=150)
"""A date without a year is of the year that brings it nearest; one that is further away may be of two."""
_SOON = timedelta(days=60)
_LONG_AGO = timedelta(days=180)
_WEEK = 7
# Before a day of the week that is a point in time, and at the beginning of a stretch of days.
_ON = re.compile(r"(?:\b(?:on|w|we|over the|at the|during the|over) )$")
_ENGLISH_SINCE = re.compile(r"since\b")
_STRETCH = re.compile(r"(?:from|od|between|miedzy|pomiedzy|since|until|till|do|starting|by|through)\b")
_BEGINS = re.compile(  # Polish verbs of what begins at a time ahead: `zaczynamy`, `wchodzi`
    r"\b(?:zaczyna\w{0,3}|startuj\w{0,3}|rusza\w{0,3}|przechodz\w{1,3}|wchodz\w{1,3}|wpisuj\w{1,3}|zmienia\w{0,3}|"
    r"wprowadza\w{0,3}|wlacza\w{0,3}|wylacza\w{0,3}|obowiazuj\w{1,3}|jad[ea]|jedzie\w{0,3}|lec[ei]\w{0,3}|zamyka\w{0,3}|otwiera\w{0,3}|"
    r"wyjezdza\w{0,3}|bior[ea]|bierze\w{0,3}|niech|prosze|trzeba)\b"
)
# Of every year, or of one that is long past.
_YEARLY = re.compile(
    r"\b(?:born|every year|each year|yearly|annually|urodzil\w{0,3}|co rok\w?|corocznie|kazdego roku)\b|每年|出生"
)
_LASTS = re.compile("[了过已]|一直|就在|至今|以来")
_WINDOW = 14


def week_settled(mention: Mention, text: PlacedText, today: date) -> DaySpan | None:
    """The days of a week that the text does not name, when its tense tells which; nothing when it does not."""
    said = text.plain[mention.start : mention.end]
    placed = _ON.search(text.plain, max(0, mention.start - _WINDOW), mention.start) or _STRETCH.match(said)
    if said.isascii() and not placed:
        return None
    tense = tense_of(text.clause(mention.start))
    if mention.boundary is Boundary.SINCE:
        tense = _tense_since(said, text.clause(mention.start), tense)
    elif mention.boundary is Boundary.UNTIL:
        tense = None if tense is Tense.PAST else Tense.FUTURE
    return _last_or_next(mention, today, tense)


def _tense_since(said: str, clause: str, tense: Tense | None) -> Tense | None:
    """Since Monday is over. Od poniedziałku is too, unless something begins then; 从周一 may be either."""
    if _ENGLISH_SINCE.match(said):
        return Tense.PAST
    if tense is Tense.FUTURE or said.startswith("starting") or _BEGINS.search(clause):
        return Tense.FUTURE
    lasts = said.isascii() or _LASTS.search(clause)
    return Tense.PAST if lasts else None


def _last_or_next(mention: Mention, today: date, tense: Tense | None) -> DaySpan | None:
    """The last such days that are over, or the next that lie ahead; nothing when today may be one of them."""
    ahead = (mention.weekday - today.weekday()) % _WEEK
    is_now = mention.boundary is Boundary.WITHIN and ahead + mention.days > _WEEK
    if tense is None or ahead == 0 or is_now:
        return None
    first = today + timedelta(days=ahead if tense is Tense.FUTURE else ahead - _WEEK)
    return DaySpan(first, first + timedelta(days=mention.days - 1))


def year_settled(mention: Mention, text: PlacedText, today: date) -> DaySpan | None:
    """The days of a year that the text does not name: the nearest; a tense tells when they are far, or of a month."""
    clause = text.clause(mention.start)
    if mention.span is None or _YEARLY.search(clause):
        return None
    years = (mention.span.in_year(today.year + after) for after in (-2, -1, 0, 1, 2))
    candidates = [span for span in years if span]
    behind = max((span for span in candidates if span.first <= today), key=lambda span: span.first)
    ahead = min((span for span in candidates if span.first > today), key=lambda span: span.first)
    tense = tense_of(clause)
    if mention.boundary is Boundary.UNTIL:
        return _until(mention, tense, today, behind, ahead)
    if mention.boundary is Boundary.SINCE:
        is_english = _ENGLISH_SINCE.match(text.plain, mention.start)
        return behind if is_english else _since(tense, today, behind, ahead)
    return _within(mention, tense, today, behind, ahead)


def _within(mention: Mention, tense: Tense | None, today: date, behind: DaySpan, ahead: DaySpan) -> DaySpan | None:
    coming = behind if behind.last >= today else ahead
    by_tense = {Tense.PAST: behind, Tense.FUTURE: coming, None: None}[tense]
    nearest = min(behind, ahead, key=lambda span: _distance(span, today))
    is_near = _distance(nearest, today) <= NEAR
    if mention.unit is Unit.QUARTER and nearest.first.year != today.year:
        is_near = False  # most people mean a quarter of this year
    if not is_near:
        return by_tense
    return nearest if mention.unit is Unit.DAY or by_tense in {None, nearest} else None


def _until(mention: Mention, tense: Tense | None, today: date, behind: DaySpan, ahead: DaySpan) -> DaySpan | None:
    """The days "until March" may be over; "put off until the 5th" is not, when the last 5th is long ago."""
    if behind.last >= today:
        return behind
    over = mention.unit is not Unit.DAY or today - behind.last <= _LONG_AGO
    return None if tense is Tense.PAST and over else ahead


def _since(tense: Tense | None, today: date, behind: DaySpan, ahead: DaySpan) -> DaySpan:
    """The days since "od maja", which lie behind, unless it is soon May, and the last May is long ago."""
    soon = ahead.first - today <= _SOON and today - behind.first > NEAR
    return ahead if tense is Tense.FUTURE or soon else behind


def _distance(span: DaySpan, today: date) -> timedelta:
    return max(span.first - today, today - span.last, timedelta())


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


_NUMBER = r"(?P<number>\d{1,3}|[a-z]{1,12})"
_HAN_NUMBER = r"(?<![\d.第零一二两三四五六七八九十百千万亿])(?P<{0}>\d{{1,3}}|[一二两三四五六七八九十]{{1,3}}|好?几)"
_COUNT = rf"\b(?:(?:a )?(?P<few>{FEW}|{COUPLE})|{_NUMBER})"
_EN, _PL, _HAN = (
    "|".join(f"(?P<{tongue}_{unit}>{words})" for unit, words in units.items())
    for tongue, units in (("en", EN_UNITS), ("pl", PL_UNITS), ("han", HAN_UNITS))
)
_SHORT = r"\b(?P<short>\d{1,3}) ?(?:(?P<s_day>d)|(?P<s_week>w|wks?)|(?P<s_month>mon?s?)|(?P<s_year>y|yrs?)) ago\b"
_AGO = re.compile(  # `two weeks ago`, `3 dni temu`, `2d ago`, `三天前`
    rf"{_COUNT} (?:(?:{_EN}) ago|(?:{_PL}) temu)\b|{_SHORT}|"
    rf"{_HAN_NUMBER.format('chinese')} ?(?:{_HAN})(?:以|之)?前(?![天日后])"
)
_ONE_AGO = re.compile(  # `tydzien temu`, `半年前`
    r"\b(?:(?P<half>pol roku)|(?P<day>dzien)|(?P<week>tydzien)|(?P<month>miesiac)|(?P<year>rok)) temu\b"
    r"|(?P<half_han>半年(?:以|之)?前)"
)
_AHEAD = re.compile(  # `in a few days`, `三天后`
    rf"\b(?:in )(?:(?:a )?(?P<few>{FEW}|{COUPLE})|{_NUMBER}) (?:{_EN})(?: time)?\b(?!')"
    rf"|{_HAN_NUMBER.format('chinese')} ?(?:{_HAN})(?:以|之)?后"
)
_FROM_NOW = re.compile(rf"{_COUNT} (?:{_EN}) from (?:now|today)\b")
_ONE_PL = r"(?:(?P<o_week>tydzien|tygodnia)|(?P<o_month>miesiaca?)|(?P<o_year>roku?))\b(?! \d)"
_ZA = re.compile(  # `za dwa tygodnie`, `za miesiac`; not `za miesiac pracy`
    rf"(?<!\d )\bza (?:(?:(?P<few>{FEW})|{_NUMBER}) (?:{_PL})|{_ONE_PL})\b"
    r"(?! (?:prac|urlop|wynaj|opozn|zwlok|pobyt|uzytk))"
)
_PAID = re.compile(  # words beside `za` where it says for what is paid
    r"\b(?:za|wy|o)?pla[ct]\w{0,8}|\bfaktur\w{0,3}|\brachun\w{0,4}|\bstawk\w{0,3}|\bkar\w{1,2}\b|\d ?(?:zl|pln|eur)\b"
)
_PAST_SPAN = re.compile(  # `last 3 days`, `ostatnie dwa tygodnie`, `过去三天`
    rf"\b(?:last|past|previous) (?:(?P<few>{FEW}|{COUPLE})|{_NUMBER}) (?:{_EN})\b(?! (?:of|in)\b)"
    rf"|\b(?:the )?past (?P<one>{'|'.join(f'(?P<o_{unit}>{unit})' for unit in EN_UNITS)})\b"
    rf"|\bostatni\w{{1,3}} (?:(?P<few_pl>{FEW})|(?P<number_pl>\d{{1,3}}|[a-z]{{1,12}})) (?:{_PL})\b"
    rf"|(?:最近|过去|近)这?{_HAN_NUMBER.format('chinese')} ?(?:{_HAN})(?!前)"
)
_NEXT_SPAN = re.compile(  # `next 3 days`, `najblizsze dwa tygodnie`, `未来三天`
    rf"\b(?:the )?next (?:(?P<few>{FEW}|{COUPLE})|{_NUMBER}) (?:{_EN})\b(?! (?:of|in)\b)"
    rf"|\bnajblizsz\w{{1,3}} (?:(?P<few_pl>{FEW})|(?P<number_pl>\d{{1,3}}|[a-z]{{1,12}})) (?:{_PL})\b"
    rf"|(?:未来|接下来)的?{_HAN_NUMBER.format('chinese')} ?(?:{_HAN})(?!前)"
)
_OD = re.compile(  # `od dwoch tygodni`; not `od roku do`
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
            far = spans.shift_day(today, unit, sign * bounds[1])
            yield Mention(*match.span(), DaySpan(min(today, far), max(today, far)), unit)


def _lies_ahead(text: PlacedText, mention: Mention) -> bool:
    """Whether the days lie ahead: "in three days" may be a length, 三天后 may be told of the past; a tense tells."""
    tense = tense_of(text.clause(mention.start))
    return tense is Tense.FUTURE or (tense is None and not text.plain[mention.start : mention.end].isascii())


def _points(text: PlacedText, today: date, pattern: re.Pattern[str], sign: int) -> Iterator[Mention]:
    for match in pattern.finditer(text.plain):
        if bounds := _bounds(match):
            unit = _unit(match)
            near, far = (spans.shift_day(today, unit, sign * count) for count in bounds)
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


_SUNDAY = 6

# Plurals are habits: on Mondays, w poniedziałki. "Niedziele" without its accent is both.
_WEEKDAYS_EN = "|".join(
    f"(?P<en{at}>{names.partition('|')[0].removesuffix('s?')})" for at, names in enumerate(WEEKDAYS.values())
)
_WEEKDAYS_PL = (
    r"(?P<pl0>poniedzial(?:ek|ku|kiem|kowi))|(?P<pl1>wtor(?:ek|ku|kiem))|(?P<pl2>srod[aeyo]|srodzie)|(?P<pl3>czwart(?:ek|ku|kiem))"
    r"|(?P<pl4>piat(?:ek|ku|kiem))|(?P<pl5>sobot[aeyo]|sobocie)|(?P<pl6>niedziel[aeio])"
)
_SHORT_WEEKDAYS = (
    r"(?P<sh0>mon|pon\.?)|(?P<sh1>tues?|wt\.)|(?P<sh2>wed\.|sr\.)|(?P<sh3>thu|thurs|czw\.?)|(?P<sh4>fri|pt\.?)"
    r"|(?P<sh5>sat\.|sob\.)|(?P<sh6>sun\.|ndz\.?|niedz\.?)"
)
_BEFORE_SHORT = "|".join(
    rf"(?<=\b{word} )" for word in ("last", "next", "this", "since", "until", "till", "on", "by", "od", "do", "w", "we")
)
_ANCHOR = (
    rf"(?P<back>\blast|\bprevious|\b(?:{LAST_PL}))|(?P<recent>\bostatni\w{{0,3}}|\bthis past)"
    r"|(?P<coming>\bnajblizsz\w{1,3}|\b(?:this )?(?:up)?coming)"
    rf"|(?P<this>\bthis|\b(?:{THIS_PL}))|(?P<ahead>\bnext|\b(?:{NEXT_PL}))"
)
_BY_LETTERS = re.compile(
    rf"(?:(?:{_ANCHOR}) )?\b(?:(?:{_WEEKDAYS_EN}|{_WEEKDAYS_PL})|(?:{_BEFORE_SHORT})(?:{_SHORT_WEEKDAYS}))(?!\w)"
)
_BY_CHARACTERS = re.compile(
    rf"(?P<weeks>上上|下下|[上这本下])?个?(?<![每逢各一二两三四五六七八九十几\d]){HAN_WEEK}(?P<weekday>{HAN_WEEKDAY})"
)
_WEEKENDS = re.compile(rf"\bweekend(?:u|zie|em)?(?!\w)|(?<![每上这本下个]){HAN_WEEK}末")
_OF_NAMES = re.compile(  # before a day that is a habit or a feast: `every `, `good `, `wielki `
    r"\b(?:every|each|any|most|some|all|other|alternate|black|good|ash|easter|cyber|palm|casual|bloody|super bowl|"
    r"co|kazd\w{1,3}|wielk\w{1,3}|czarn\w{1,3}|tlust\w{1,3}|palmow\w{1,3}|popielcow\w{1,3}) $"
)
_SHIFTS = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
_PLURALS = {"niedziele", "srody", "soboty"}
_BEFORE = 14


def weekday_mentions(text: PlacedText, today: date) -> Iterator[Mention]:
    """The mentions of one day of the week, or of a weekend without its week; those of a habit are none."""
    for match in _BY_LETTERS.finditer(text.plain):
        if not _OF_NAMES.search(text.plain, max(0, match.start() - _BEFORE), match.start()):
            yield _by_letters(match, text, today)
    for match in _BY_CHARACTERS.finditer(text.plain):
        weekday = min(HAN_WEEKDAYS.index(match["weekday"]), _SUNDAY)
        monday = spans.week(today, _SHIFTS[match["weeks"]]).first if match["weeks"] else None
        span = spans.day(monday, weekday) if monday else None
        yield Mention(*match.span(), span, weekday=weekday)
    for match in _WEEKENDS.finditer(text.plain):
        if not _OF_NAMES.search(text.plain, max(0, match.start() - _BEFORE), match.start()):
            yield Mention(*match.span(), None, weekday=_SUNDAY - 1, days=2)


def _by_letters(match: re.Match[str], text: PlacedText, today: date) -> Mention:
    name = next(name for name, value in match.groupdict().items() if value and name[-1].isdigit())
    weekday, here = int(name[-1]), today.weekday()
    since_last, until_next = (here - weekday - 1) % _WEEK + 1, (weekday - here - 1) % _WEEK + 1
    # The days from today on, and whether they are sure: `last Monday` on a Wednesday may be of this week or of another.
    meanings = {
        "back": (-since_last, weekday >= here),
        "recent": (-since_last, True),
        "coming": (until_next, True),
        "this": (weekday - here, weekday >= here),
        "ahead": (weekday - here + _WEEK, weekday <= here),
    }
    for anchor, (days, sure) in meanings.items():
        if match[anchor]:
            return Mention(*match.span(), spans.day(today, days), weekday=weekday, sure=sure)
    within = match.string[max(0, match.start() - 3) : match.start()].endswith(("w ", "we "))
    plural = within and match[0] in _PLURALS and not text.original_text(*match.span()).casefold().endswith("ę")
    return Mention(*match.span(), None, weekday=weekday, sure=not plural)
