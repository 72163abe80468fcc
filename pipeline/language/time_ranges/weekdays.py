"""Days of the week and weekends: last Friday, w przyszłą środę, 下周三; and those whose week is not named."""

import re
from collections.abc import Iterator
from datetime import date

from pipeline.language.calendar_names import HAN_WEEK, HAN_WEEKDAYS, WEEKDAYS
from pipeline.language.time_ranges import spans
from pipeline.language.time_ranges.mentions import Mention
from pipeline.language.time_ranges.places import PlacedText
from pipeline.language.time_ranges.vocabulary import HAN_WEEKDAY, LAST_PL, NEXT_PL, THIS_PL

_SUNDAY = 6
_WEEK = 7
# Plurals are habits: on Mondays, w poniedziałki. "Niedziele" without its accent is both.
_EN = "|".join(
    f"(?P<en{at}>{names.partition('|')[0].removesuffix('s?')})" for at, names in enumerate(WEEKDAYS.values())
)
_PL = (
    r"(?P<pl0>poniedzial(?:ek|ku|kiem|kowi))|(?P<pl1>wtor(?:ek|ku|kiem))|(?P<pl2>srod[aeyo]|srodzie)|(?P<pl3>czwart(?:ek|ku|kiem))"
    r"|(?P<pl4>piat(?:ek|ku|kiem))|(?P<pl5>sobot[aeyo]|sobocie)|(?P<pl6>niedziel[aeio])"
)
_SHORT = (
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
_BY_LETTERS = re.compile(rf"(?:(?:{_ANCHOR}) )?\b(?:(?:{_EN}|{_PL})|(?:{_BEFORE_SHORT})(?:{_SHORT}))(?!\w)")
_BY_CHARACTERS = re.compile(
    rf"(?P<weeks>上上|下下|[上这本下])?个?(?<![每逢各一二两三四五六七八九十几\d]){HAN_WEEK}(?P<weekday>{HAN_WEEKDAY})"
)
_WEEKENDS = re.compile(rf"\bweekend(?:u|zie|em)?(?!\w)|(?<![每上这本下个]){HAN_WEEK}末")
_OF_NAMES = re.compile(
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
    anchor = next((name for name in ("back", "recent", "coming", "this", "ahead") if match[name]), None)
    if anchor is None:
        within = match.string[max(0, match.start() - 3) : match.start()].endswith(("w ", "we "))
        plural = within and match[0] in _PLURALS and not text.written(*match.span()).casefold().endswith("ę")
        return Mention(*match.span(), None, weekday=weekday, sure=not plural)
    back, forth = (here - weekday - 1) % _WEEK + 1, (weekday - here - 1) % _WEEK + 1
    days = {"back": -back, "recent": -back, "coming": forth, "this": weekday - here}.get(anchor, weekday - here + _WEEK)
    # Last Monday said on a Wednesday, next Friday said on a Monday: of this week or of another?
    sure = {"back": weekday >= here, "this": weekday >= here, "ahead": weekday <= here}.get(anchor, True)
    return Mention(*match.span(), spans.day(today, days), weekday=weekday, sure=sure)
