"""The text that Cursor writes around a person's words: the time, the question's own tag, and attachments."""

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone

from pipeline.adapters.sources.speakers.typed import typed_words
from schemas.transcript import Origin

_OPEN, _CLOSE = "<user_query>", "</user_query>"
_TIME = re.compile(
    r"\s*<timestamp>\s*(?:\w+,\s)?(?P<month>[A-Z][a-z]{2})[a-z]*\.?\s(?P<day>\d{1,2}),\s(?P<year>\d{4}),?\s"
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2})\s(?P<half>[AP])M"
    r"\s\(UTC(?P<offset>[+\-\u2212]\d{1,2}(?::?\d{2})?)?\)\s*</timestamp>"
)
_ANY_TIME = re.compile(r"\s*<timestamp>[^<]{0,100}</timestamp>")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def time_of_question(text: str) -> datetime | None:
    """The minute that a user text begins with, in UTC; `None` when it begins with none.

    It is written as `<timestamp>Monday, Feb 2, 2026, 9:05 AM (UTC+1)</timestamp>`.
    """
    match = _TIME.match(text)
    if match is None or match["month"] not in _MONTHS:
        return None
    hour = int(match["hour"]) % 12 + (12 if match["half"] == "P" else 0)
    month, year, day = _MONTHS.index(match["month"]) + 1, int(match["year"]), int(match["day"])
    with suppress(ValueError, OverflowError):
        zone = timezone(_offset(match["offset"] or "+0"))
        return datetime(year, month, day, hour, int(match["minute"]), tzinfo=zone).astimezone(UTC)
    return None


def typed_parts(parts: list[str]) -> tuple[Origin, list[str]]:
    """The author of a message's parts, and the words of a person in them; all parts when there are none."""
    origin, words = typed_words(_question_words(parts))
    return origin, words or parts


def _question_words(texts: Sequence[str]) -> list[str]:
    """The words in the last tag of a question, up to its last end; without any tag, the texts after the time.

    What is attached stands before the question, so a tag in a file that is attached cannot speak for the person, and
    neither can a text without a tag beside one with it.
    """
    tagged = [text for text in texts if _OPEN in text]
    if tagged:
        last = tagged[-1]
        words = [last.rpartition(_CLOSE)[0].rpartition(_OPEN)[2].strip()]
    else:
        words = [_ANY_TIME.sub("", text, count=1).strip() for text in texts]
    return [text for text in words if text]


def _offset(text: str) -> timedelta:
    sign, digits = (1 if text[0] == "+" else -1), text[1:].replace(":", "")
    hours, minutes = (digits[:-2], digits[-2:]) if len(digits) > 2 else (digits, "0")  # noqa: PLR2004 - of the hour alone
    return sign * timedelta(hours=int(hours), minutes=int(minutes))
