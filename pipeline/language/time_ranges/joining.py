"""Mentions side by side made one: a day and its week, a month and its year, the two ends of a stretch."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date, timedelta

from pipeline.language.time_ranges import spans
from pipeline.language.time_ranges.spans import Boundary, DaySpan, Mention, Unit

# Each of these ends just before a mention, and those called _HERE begin just behind it.
_SINCE = re.compile(  # `starting from `, `od dnia `, `自从`
    r"(?:\b(?:since|starting(?: on| from| in)?|beginning (?:on|in)|effective(?: from)?|od|poczawszy od)(?: the| dnia)? "
    r"|自从?)$"
)
_FROM_ON = re.compile(r"(?:\bfrom |[从自由])$")  # with `_ON` behind it: `from Monday on`
_ON = re.compile(
    r" (?:onwards?|on(?= ?(?:$|[.,;:!?)\n]))|forward)\b|起(?![床来飞动草诉初伏码了])|开始|以来|至今|到现在"
)
_FROM_HERE = re.compile(r"起(?![床来飞动草诉初伏码了])|以来|至今|到现在|开始(?!之?前)")
_UNTIL = re.compile(  # `up to `, `az do `, `直到`; not `看到`
    r"(?:\b(?:until|till|thru|through|up to|by|do|az do)(?: the| dnia)? "
    r"|(?<![提看收见想谈说遇感得受听碰找排改延推调达来回])到|直到|截至|截止到?)$"
)
_UNTIL_HERE = re.compile(r"为止|之前|以前|前(?![天年后往端台面提半者期所辈缀沿景方])")
_BY_MONTH = re.compile(r"\bby $")  # `by May` may name a person
_AROUND = re.compile(  # `circa `, `mniej wiecej `, `大约`
    r"(?:\b(?:around|circa|approximately|roughly|okolo|kolo|ok\.|mniej wiecej)(?: the| dnia)? |大约|大概)$"
)
_AROUND_HERE = re.compile(r"前后|左右| or so\b")
_DOUBT = re.compile(  # before what may be another time than it names: `after `, `every `, `not on `, `每`
    r"(?:\b(?:before|after|prior to|following|past|beyond|within|every|each|co|kazd\w{1,3}|except|other than|"
    r"(?:not|nie)(?: (?:on|in|w|we|na))?|unlike|instead of|przed|po|than|niz|word|called|named|slowo|vs|per|"
    r"like(?: it was)?(?: just| only)?)(?: the)? |[每非](?:[周月年天]|个月)?)$"
)
_DOUBT_HERE = re.compile(r"'s\b|以后|之后|后(?![天年])|(?<=[a-z])\(")
_FROM_ALONE = re.compile(r"\bfrom(?: the)? $")
_SLACK = timedelta(days=3)
_REST_OF_WEEK = timedelta(days=6)
_ENGLISH = re.compile(
    r"(?:the|last|this|next|yesterday|today|tomorrow|tonight|[a-z]{3,6}day)\b|\w+ (?:days?|weeks?|months?|years?)\b"
)
_WEEK_OF = re.compile(r"\b(?:the )?week (?:of|starting|beginning)(?: on)?(?: the)? $")
_NOT = re.compile(r"(?:\bnot|n't|\bnie) $|[不没]$")
_NOT_WINDOW = 5
_WINDOW = 24


def with_boundary(mention: Mention, plain: str, today: date) -> Mention:
    """A mention with what the words beside it make of it."""
    before = plain[max(0, mention.start - _WINDOW) : mention.start]
    if before.endswith("do ") and _ENGLISH.match(plain, mention.start):
        before = ""  # what did we do last week
    moved_end = _since(mention, before, plain) or _until(mention, before, plain, today)
    widened = moved_end or _of_week(mention, before) or _neighbours_of(mention, before, plain)
    if widened:
        denied = _NOT.search(plain, max(0, widened.start - _NOT_WINDOW), widened.start)
        return replace(widened, sure=False) if denied else widened
    if leads := _FROM_ALONE.search(before):
        return replace(mention, start=mention.start - len(leads[0]), boundary=Boundary.FROM)
    doubtful = _DOUBT.search(before) or _DOUBT_HERE.match(plain, mention.end)
    return replace(mention, sure=False) if doubtful else mention


def _of_week(mention: Mention, before: str) -> Mention | None:
    prefix = _WEEK_OF.search(before)
    if not prefix or not mention.span or mention.unit is not Unit.DAY:
        return None
    span = replace(mention.span, last=mention.span.last + _REST_OF_WEEK)
    return replace(mention, start=mention.start - len(prefix[0]), span=span)


def _neighbours_of(mention: Mention, before: str, plain: str) -> Mention | None:
    prefix, behind = _AROUND.search(before), _AROUND_HERE.match(plain, mention.end)
    if not (prefix or behind) or not mention.span or mention.unit is not Unit.DAY:
        return None
    span = replace(mention.span, first=mention.span.first - _SLACK, last=mention.span.last + _SLACK)
    start, end = mention.start - (len(prefix[0]) if prefix else 0), behind.end() if behind else mention.end
    return replace(mention, start=start, end=end, span=span)


def _since(mention: Mention, before: str, plain: str) -> Mention | None:
    prefix, behind = _SINCE.search(before), _FROM_HERE.match(plain, mention.end)
    if not prefix and not behind:
        behind = _ON.match(plain, mention.end)
        prefix = _FROM_ON.search(before) if behind else None
        if not prefix:
            return None
    elif not prefix:
        prefix = _FROM_ON.search(before)
    start = mention.start - (len(prefix[0]) if prefix else 0)
    return replace(mention, start=start, end=behind.end() if behind else mention.end, boundary=Boundary.SINCE)


def _until(mention: Mention, before: str, plain: str, today: date) -> Mention | None:
    prefix, behind = _UNTIL.search(before), _UNTIL_HERE.match(plain, mention.end)
    if not prefix and not behind:
        return None
    person = _BY_MONTH.search(before) and mention.unit is Unit.MONTH and mention.span and mention.span.every_year
    over = mention.span is not None and not mention.span.every_year and mention.span.last < today
    start = mention.start - (len(prefix[0]) if prefix else 0)
    end, sure = behind.end() if behind else mention.end, mention.sure and not person and not over
    return replace(mention, start=start, end=end, boundary=Boundary.UNTIL, sure=sure)


_FIRST, _MIDDLE, _LAST = 0, 1, 2
_ORDINALS = {
    **dict.fromkeys(("first", "1st", "pierwsz", "一", "1"), 1),
    **dict.fromkeys(("second", "2nd", "drugi", "二", "2"), 2),
    **dict.fromkeys(("third", "3rd", "trzeci", "三", "3"), 3),
    **dict.fromkeys(("fourth", "4th", "czwart", "四", "4"), 4),
    **dict.fromkeys(("last", "final", "ostatni", "最后"), 5),
}
_LAST_WEEK = 5
_NTH = r"(?P<nth>first|second|third|fourth|1st|2nd|3rd|4th|last|final|pierwsz|drugi|trzeci|czwart|ostatni)\w{0,3}"
_BEFORE = re.compile(
    r"(?:\b(?:(?P<p0>(?:the )?(?:beginning|start) of|early(?: in| part of)?|(?:na )?poczat(?:ek|ku|kiem)|wczesn\w{1,3})"
    r"|(?P<p1>(?:the )?middle of|mid(?:way through)?|(?:w )?polow(?:[ay]|ie)|(?:w )?srodku)"
    r"|(?P<p2>(?:the )?end of|late(?: in)?|(?:pod |na |z )?kon(?:iec|ca|cem|cu)|schylku)"
    rf"|(?:the )?{_NTH} (?:week (?:of|in)|tydzien|tygodni\w{{0,3}})"
    r"|(?:the )?(?P<half>first|second|1st|2nd|[12]\.|pierwsz\w{1,3}|drug\w{1,3}) (?:half of|polow\w{1,2}))"
    r"[ -](?:of |in )?(?:the )?)$"
)
_BEHIND = re.compile(
    r"的?(?:年(?=[初底末中]))?(?:(?P<p0>初(?![一二三四五六七八九十步中级])|上旬)|(?P<p1>中旬|(?<=[月年])中)|(?P<p2>底(?![层部下座线盘薪])|末|下旬)"
    r"|(?:的)?第?(?P<nth>[一二三四1-4]|最后一?)个?(?:周|星期|礼拜)|(?P<half>[上下])半[年月])"
)
_REACH = 40
_DAYS_OF_PART = 10
_WEEK_PARTS = ((0, 1), (1, 3), (4, 6))
_YEAR_PARTS = ((1, 3), (5, 4), (10, 3))  # the month it begins with, and how many


def in_part(mention: Mention, plain: str) -> Mention:
    """The part of a mention's days that the words beside it name; the mention itself where they name none."""
    if mention.span is None or mention.unit is Unit.DAY:
        return mention
    before = _BEFORE.search(plain, max(0, mention.start - _REACH), mention.start)
    behind = _BEHIND.match(plain, mention.end)
    match = before or behind
    span = _part(mention.span, mention.unit, match) if match else None
    if match is None or span is None:
        return mention
    start, end = min(match.start(), mention.start), max(match.end(), mention.end)
    return replace(mention, start=start, end=end, span=span, partial=False, unit=Unit.WEEK, sure=True)


def _part(span: DaySpan, unit: Unit, match: re.Match[str]) -> DaySpan | None:
    if nth := match["nth"]:
        number = _ORDINALS.get(nth.removesuffix("一") or nth, 0)
        return _week_of(span, number) if unit is Unit.MONTH and number else None
    if half := match["half"]:
        return _half(span, unit, first=half.startswith(("first", "1", "pierw", "上")))
    index = next(index for index, group in enumerate(("p0", "p1", "p2")) if match[group])
    return _third(span, unit, index)


def _week_of(span: DaySpan, number: int) -> DaySpan:
    if number == _LAST_WEEK:
        return replace(span, first=span.last - timedelta(days=6))
    first = span.first + timedelta(days=7 * (number - 1))
    return replace(span, first=first, last=first + timedelta(days=6))


def _half(span: DaySpan, unit: Unit, *, first: bool) -> DaySpan | None:
    if unit is Unit.MONTH:
        middle = span.first + timedelta(days=14)
    elif unit is Unit.YEAR:
        middle = date(span.first.year, 6, 30)
    else:
        return None
    return replace(span, last=middle) if first else replace(span, first=middle + timedelta(days=1))


def _third(span: DaySpan, unit: Unit, index: int) -> DaySpan:
    """A third: of a month ten days, of a quarter a month; of a year and a week the part that people mean by it."""
    if unit is Unit.YEAR:
        return replace(spans.months(span.first.year, *_YEAR_PARTS[index]), every_year=span.every_year)
    if unit is Unit.QUARTER:
        return replace(spans.months(span.first.year, span.first.month + index), every_year=span.every_year)
    if unit is Unit.WEEK:
        low, high = (span.first + timedelta(days=days) for days in _WEEK_PARTS[index])
        return replace(span, first=low, last=high)
    first = span.first + timedelta(days=index * _DAYS_OF_PART)
    return replace(span, first=first, last=span.last if index == _LAST else first + timedelta(days=_DAYS_OF_PART - 1))


_BESIDE = re.compile(r"(?:,? ?(?:of |in |on |w |we )?(?:the )?|的)")
_TO = re.compile(r" ?(?:-|\b(?:to|till|until|through|thru|az do|do)\b|到|至|直到)(?: the)? ?")
_AND = re.compile(r" (?:and|a|i) ")
_BETWEEN = re.compile(r"\b(?:between|miedzy|pomiedzy) $")
_FROM = re.compile(r"(?:\b(?:from|od|between|miedzy|pomiedzy)(?: the)? |[从自])$")
_LONGEST_GAP = 12
_DAYS_OF_WEEK = 7
_Join = Callable[[Mention, Mention, str, str], Mention | None]


def drop_overlaps(mentions: Iterable[Mention]) -> list[Mention]:
    """Mentions that share no character: of those that do, the one that begins first, and then the longest."""
    kept = list[Mention]()
    for mention in sorted(mentions, key=lambda mention: (mention.start, -mention.end, not mention.sure)):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return kept


def join_mentions(mentions: list[Mention], plain: str) -> list[Mention]:
    """Mentions as they belong together."""
    completed = _fold_mentions(mentions, plain, _complete)
    parted = (in_part(mention, plain) for mention in completed)
    return _fold_mentions(drop_overlaps(mention for mention in parted if not mention.partial), plain, _stretch)


def _fold_mentions(mentions: list[Mention], plain: str, join: _Join) -> list[Mention]:
    kept = list[Mention]()
    for mention in mentions:
        gap = plain[kept[-1].end : mention.start] if kept and mention.start - kept[-1].end <= _LONGEST_GAP else None
        both = join(kept[-1], mention, gap, plain) if gap is not None else None
        kept[-1:] = [both] if both else [*kept[-1:], mention]
    return kept


def _complete(left: Mention, right: Mention, gap: str, _: str) -> Mention | None:
    """A month with its year, a day of the week with its week, a day of the week with its date."""
    if not _BESIDE.fullmatch(gap) or (not gap and left.unit is not Unit.YEAR and right.unit is not Unit.YEAR):
        return None
    for whole, piece in ((left, right), (right, left)):
        span = _within(whole, piece)
        if span:
            sure = whole.sure or (whole.unit is Unit.YEAR and piece.sure)
            return replace(piece, start=left.start, end=right.end, span=span, sure=sure)
    return None


def _within(whole: Mention, piece: Mention) -> DaySpan | None:
    """The days of a piece in the whole that the words beside it name."""
    if whole.span is None or (whole.span.every_year and piece.span is not None):
        return None
    if piece.span is not None:
        return piece.span.in_year(whole.span.first.year) if piece.span.every_year and whole.unit is Unit.YEAR else None
    days = (whole.span.last - whole.span.first).days + 1
    first = whole.span.first + timedelta(days=(piece.weekday - whole.span.first.weekday()) % _DAYS_OF_WEEK)
    if days == _DAYS_OF_WEEK:
        return DaySpan(first, first + timedelta(days=piece.days - 1))
    agrees = days == 1 and (whole.span.every_year or first == whole.span.first)
    return whole.span if agrees else None


def _stretch(left: Mention, right: Mention, gap: str, plain: str) -> Mention | None:
    """From one to the other."""
    is_between = _AND.fullmatch(gap) is not None
    begins = (_BETWEEN if is_between else _FROM).search(plain, max(0, left.start - _LONGEST_GAP), left.start)
    if not (begins if is_between else _leads_on(left, right, gap, plain)):
        return None
    start = begins.start() if begins else left.start
    if left.span is None or right.span is None:
        return _of_weekdays(left, right, start)
    span = _ends(left.span, right.span)
    sure = left.sure and right.sure
    return replace(left, start=start, end=right.end, span=span, unit=Unit.WEEK, sure=sure) if span else None


def _leads_on(left: Mention, right: Mention, gap: str, plain: str) -> bool:
    """Whether a gap joins two ends: a dash between words may part sentences, and "1 kwietnia to środa" says what is."""
    written = [plain[mention.start : mention.end] for mention in (left, right)]
    if gap == " to ":
        return right.span is not None or written[1].endswith("day")
    if gap == " - ":
        return all(any(map(str.isdigit, words)) for words in written) or (left.span is None and right.span is None)
    return _TO.fullmatch(gap) is not None


def _ends(first: DaySpan, last: DaySpan) -> DaySpan | None:
    """From the first days to the last; a year that one end lacks is that of the other, or the one beside it."""
    year = (last if first.every_year else first).first.year
    pairs: list[tuple[DaySpan | None, DaySpan | None]] = [(first, last)]
    if first.every_year and not last.every_year:
        pairs = [(first.in_year(year), last), (first.in_year(year - 1), last)]
    elif last.every_year:
        pairs = [(first, last.in_year(year)), (first, last.in_year(year + 1))]
    both = first.every_year and last.every_year
    wholes = (DaySpan(left.first, right.last, both) for left, right in pairs if left and right)
    return next((whole for whole in wholes if whole.first <= whole.last), None)


def _of_weekdays(left: Mention, right: Mention, start: int) -> Mention | None:
    """From a day of a week that is named to the next day of that name; of a week that is not named, no days yet."""
    days = (right.weekday - left.weekday) % _DAYS_OF_WEEK + 1
    if left.span and left.span.every_year:
        return None
    if left.span is not None and right.span is None and left.unit is Unit.DAY:
        last = left.span.first + timedelta(days=(right.weekday - left.span.first.weekday()) % _DAYS_OF_WEEK)
        return replace(
            left, start=start, end=right.end, span=DaySpan(left.span.first, last), unit=Unit.WEEK, sure=left.sure
        )
    if left.span is None and right.span is None:
        habit = (left.weekday, right.weekday) == (0, 4)  # Monday to Friday: the days of work of any week
        return replace(left, start=start, end=right.end, days=days, sure=not habit and left.sure and right.sure)
    return replace(left, start=start, end=right.end, span=right.span, sure=False)
