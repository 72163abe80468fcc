"""Words beside a time that move its ends, or that leave it in doubt: since, od, 起; until, do, 之前; around; not."""

import re
from dataclasses import replace
from datetime import date, timedelta

from pipeline.language.time_ranges.mentions import Boundary, Mention
from pipeline.language.time_ranges.spans import Unit

_SINCE = re.compile(
    r"(?:\b(?:since|starting(?: on| from| in)?|beginning (?:on|in)|effective(?: from)?|od|poczawszy od)(?: the| dnia)? "
    r"|自从?)$"
)
_FROM = re.compile(r"(?:\bfrom |[从自由])$")
_ON = re.compile(
    r" (?:onwards?|on(?= ?(?:$|[.,;:!?)\n]))|forward)\b|起(?![床来飞动草诉初伏码了])|开始|以来|至今|到现在"
)
_FROM_HERE = re.compile(r"起(?![床来飞动草诉初伏码了])|以来|至今|到现在|开始(?!之?前)")
_UNTIL = re.compile(
    r"(?:\b(?:until|till|thru|through|up to|by|do|az do)(?: the| dnia)? "
    r"|(?<![提看收见想谈说遇感得受听碰找排改延推调达来回])到|直到|截至|截止到?)$"
)
_UNTIL_HERE = re.compile(r"为止|之前|以前|前(?![天年后往端台面提半者期所辈缀沿景方])")
_BY_MONTH = re.compile(r"\bby $")
_AROUND = re.compile(
    r"(?:\b(?:around|circa|approximately|roughly|okolo|kolo|ok\.|mniej wiecej)(?: the| dnia)? |大约|大概)$"
)
_AROUND_HERE = re.compile(r"前后|左右| or so\b")
_DOUBT = re.compile(
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
    widened = moved_end or _of_week(mention, before) or _around(mention, before, plain)
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


def _around(mention: Mention, before: str, plain: str) -> Mention | None:
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
        prefix = _FROM.search(before) if behind else None
        if not prefix:
            return None
    elif not prefix:
        prefix = _FROM.search(before)
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
