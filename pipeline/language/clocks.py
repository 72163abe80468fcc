"""Times of day of a text, in minutes from midnight: 3pm, 15:00, wpół do czwartej, 下午三点半."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.language.lexicon import cues
from pipeline.language.number_words import POLISH_ORDINALS, numbers

HOUR = 60
"""Minutes."""
_HALF, _DAY = 12, 24  # hours
_EN_HOUR = cues("one; two; three; four; five; six; seven; eight; nine; ten; eleven; twelve")
_EN = "|".join(sorted(_EN_HOUR, key=len, reverse=True))
_PL = "|".join(sorted(POLISH_ORDINALS, key=len, reverse=True))
_PL_LAST = {"pierwsz": 21, "drug": 22, "trzec": 23, "czwart": 24}
_IN_DIGITS = r"[01]?\d|2[0-4]"
# All patterns are over flat text. Behind a time: `am`, `in the morning`, `po poludniu`.
_HALF_OF_DAY = (
    r"(?:,? ?(?:(?P<am>a\.?m\b\.?|in the morning\b|rano\b|w nocy\b|nad ranem\b|przed poludniem\b)"
    r"|(?P<pm>p\.?m\b\.?|in the (?:afternoon|evening)\b|at night\b|po ?poludniu\b|wieczor(?:em)?\b)))?"
)
_DIGITAL = re.compile(  # `15:00`, `3.30 pm`
    rf"(?<![\d.:,/-])(?P<hour>{_IN_DIGITS})(?P<mark>[:.])(?P<minute>[0-5]\d)(?![\d:]|[.,]\d){_HALF_OF_DAY}"
)
_HOUR = re.compile(  # `3pm`, `9 o'clock`, and with a word of `_LEADS` before it `5` or `nine`
    rf"(?<![\w.:,/])(?:(?P<hour>{_IN_DIGITS})|(?P<word>{_EN}))"
    rf"(?: ?(?P<sure>a\.?m\b\.?|p\.?m\b\.?|o'clock|h\b)|(?=\b)){_HALF_OF_DAY}"
)
_PAST = re.compile(  # `half past three`, `ten minutes before 9`, `twelve thirty`
    r"\b(?P<minutes>half|quarter|five|ten|twenty(?:[ -]five)?|\d{1,2}(?= minutes? ))(?: minutes?)? "
    r"(?P<way>past|after|to|before) "
    rf"(?:(?P<hour>\d{{1,2}})\b|(?P<word>{_EN})\b){_HALF_OF_DAY}"
    rf"|\b(?P<thirty>{_EN}) (?P<plus>thirty|fifteen|forty[ -]five)\b"
)
_FEW_PL = r"kwadrans|piec|dziesiec|dwadziescia|\d{1,2}"
_POLISH = re.compile(  # `pietnasta`, `wpol do czwartej`, `kwadrans po osmej`, `dwudziestej pierwszej`, `5-ta`
    rf"\b(?:(?P<half>wpol do )|za (?P<before>{_FEW_PL}) |(?P<after>{_FEW_PL}) po )?"
    rf"(?P<tens>dwudziest(?:a|ej) )?(?:(?P<word>{_PL})i?(?:a|ej)\b"
    rf"|(?P<hour>{_IN_DIGITS})-?(?:ej|tej|ta|sza|szej|mej|cia|ciej)\b){_HALF_OF_DAY}"
)
_HAN = re.compile(  # `下午三点半`, `晚上8:30`, `三点一刻`
    r"(?P<part>上午|早上|早晨|清晨|凌晨|半夜|中午|下午|傍晚|晚上|今晚|明晚|当晚|夜里|晚)?\s?"
    r"(?P<hour>\d{1,2}|二?十[一二三四五六七八九]?|[零一二两三四五六七八九])(?:\s?[点时](?!间|候)(?:整|钟)?|:(?=[0-5]\d(?!\d)))"
    r"(?:\s?(?P<minute>\d{1,2}|一刻|三刻|[零一二三四五六七八九十]{1,3}|半)分?)?"
)
_NOON = re.compile(r"\b(?:noon|poludnie)\b(?<!po poludnie)|正午")
_MIDNIGHT = re.compile(r"\b(?:midnight|polnoc\w?)\b|午夜")
_LEADS = re.compile(  # before a bare number: `at `, `od `, `monday `
    r"(?:\b(?:at|by|before|after|until|till|from|to|around|about|between|and|past|since|o|do|po|przed|od|na|okolo|kolo"
    r"|miedzy|a|i|godz\.?|godzin\w+|g\.|poniedzial\w+|wtor\w+|srod\w+|czwart\w+|piat\w+|sobot\w+|niedziel\w+"
    r"|mon\w*|tue\w*|wed\w*|thu\w*|fri\w*|sat\w*|sun\w*)|-) ?$"
)
_RANGE = re.compile(r" ?- ?\d")  # behind it: `9 - 17`
_MINUTES = {"half": 30, "quarter": 15, "kwadrans": 15, "半": 30, "一刻": 15, "三刻": 45}
_BACK = 16  # characters before a number that hold the longest word of `_LEADS`


@dataclass(frozen=True, slots=True)
class PlacedClock:
    """A time of day from `start` to `end` of a flat text, with the minutes from midnight that it may mean.

    One that is not `sure` may be any number: `after 3`.
    """

    start: int
    end: int
    minutes: frozenset[int]
    sure: bool = True


def clocks(flat: str) -> Iterator[PlacedClock]:
    """The times of day of a flat text; they may overlap."""
    for match in _DIGITAL.finditer(flat):
        sure = match["mark"] == ":" or bool(match["am"] or match["pm"])
        yield PlacedClock(*match.span(), _read(int(match["hour"]), int(match["minute"]), match, written=True), sure)
    yield from _hours(flat)
    for match in _PAST.finditer(flat):
        yield PlacedClock(*match.span(), _past(match))
    for match in _POLISH.finditer(flat):
        sure = bool(match["half"] or match["before"] or match["after"] or match["am"] or match["pm"] or match["hour"])
        yield PlacedClock(*match.span(), _polish(match), sure)
    for match in _HAN.finditer(flat):
        if (minutes := _han(match)) is not None:
            yield PlacedClock(*match.span(), minutes)
    for pattern, hour in ((_NOON, _HALF), (_MIDNIGHT, 0)):
        for match in pattern.finditer(flat):
            yield PlacedClock(*match.span(), frozenset({hour * HOUR}), sure=False)


def _hours(flat: str) -> Iterator[PlacedClock]:
    for match in _HOUR.finditer(flat):
        explicit = match["sure"] or match["am"] or match["pm"]
        start = match.start()
        led = _LEADS.search(flat, max(0, start - _BACK), start) or _RANGE.match(flat, match.end())
        if not (explicit or led):
            continue
        hour = int(match["hour"] or _EN_HOUR.index(match["word"]) + 1)
        minutes = _read(hour, 0, match)
        if match["sure"] and match["sure"][0] in "ap":
            minutes = _at(hour, 0, late=match["sure"][0] == "p")
        yield PlacedClock(*match.span(), minutes, sure=bool(explicit))


def _read(hour: int, minute: int, match: re.Match[str], *, written: bool = False) -> frozenset[int]:
    """The minutes that an hour may mean; `written` in digits with minutes it means the hours of a whole day."""
    if match["am"] or match["pm"]:
        return _at(hour, minute, late=bool(match["pm"]))
    both = {hour} if hour > _HALF else {hour, hour + _HALF}
    if written and match["mark"] == ":" and len(match["hour"]) > 1:
        both = {hour}
    return frozenset(possible % _DAY * HOUR + minute for possible in both)


def _at(hour: int, minute: int, *, late: bool) -> frozenset[int]:
    if hour > _HALF:
        return frozenset({hour % _DAY * HOUR + minute})
    return frozenset({(hour % _HALF + (_HALF if late else 0)) * HOUR + minute})


def _past(match: re.Match[str]) -> frozenset[int]:
    if match["thirty"]:
        extra = {"thirty": 30, "fifteen": 15}.get(match["plus"], 45)
        hour = _EN_HOUR.index(match["thirty"]) + 1
        return frozenset(possible % _DAY * HOUR + extra for possible in (hour, hour + _HALF))
    minutes = _few(match["minutes"])
    hour = int(match["hour"] or _EN_HOUR.index(match["word"]) + 1)
    shift = minutes if match["way"] in {"past", "after"} else -minutes
    return frozenset((start + shift) % (_DAY * HOUR) for start in _read(hour, 0, match))


def _polish(match: re.Match[str]) -> frozenset[int]:
    hour = int(match["hour"]) if match["hour"] else POLISH_ORDINALS.index(match["word"]) + 1
    if match["tens"]:
        hour = _PL_LAST.get(match["word"] or "", hour)
    shift = _few(match["after"] or "0") - _few(match["before"] or "0") - (HOUR // 2 if match["half"] else 0)
    return frozenset((start + shift) % (_DAY * HOUR) for start in _read(hour, 0, match))


def _han(match: re.Match[str]) -> frozenset[int] | None:
    hour, minute = _few(match["hour"]), _few(match["minute"] or "0")
    if hour > _DAY or minute >= HOUR:
        return None
    part = match["part"]
    if part is None:
        hours = {hour} if hour > _HALF else {hour, hour + _HALF}
        return frozenset(possible % _DAY * HOUR + minute for possible in hours)
    if part == "中午":
        return frozenset({(hour if hour >= _HALF - 2 else hour + _HALF) * HOUR + minute})
    late = part in {"下午", "傍晚"} or ("晚" in part and hour < _HALF)
    return _at(hour, minute, late=late or (part == "夜里" and hour >= _HALF // 2))


def _few(written: str) -> int:
    """The value of a small number in digits or words."""
    if written in _MINUTES:
        return _MINUTES[written]
    return max((int(max(number.values)) for number in numbers(written)), default=0)
