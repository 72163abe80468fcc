"""The time that a text speaks of: all that a question may mean, and the one range of a fact that is in no doubt.

One reader, two uses. A question takes any phrase, because a time raises hits and leaves none out. A fact takes a
phrase only when it is sure: a wrong range would say that something holds when it does not.

The phrases are a table of our own. A library for them was tried and left: dateparser reads "May the" and "we"
(Wednesday) as dates, passes over "w zeszłym tygodniu", and takes its time.
"""

import re
from datetime import date

from pipeline.language.folding import flat
from pipeline.language.time_ranges.spans import DaySpan, TimeRange, counted_from

# Some part of every phrase. Most questions have none, and need not wait until the phrases are compiled.
_SIGN = re.compile(
    r"\d|[年月日号天周拜昨今明]|星期|季度|最近|近来|day|dnia|dni\b|dzi|week|month|year|\bago\b|quarter|q[1-4]|\bnight|tonight|"
    r"evening|morning|afternoon|tomorrow|recent|lately|jutr|ostatni|niedawno|tydz|tygod|mies|\brok|\blat|kwarta|temu|"
    r"jan|feb|mar|apr|may|maj|jun|jul|aug|sep|oct|nov|dec|stycz|lut|kwie|czerw|lip|sierp|wrze|pazdz|listop|grud|wczoraj|"
    r"mon|tue|wed|thu|fri|sat|sun|pon|wt|sr\.|sro|czw|piat|pt|sob|niedz|ndz|ubr?\b|b\. ?r\.|br\.|first|fifth|tenth|"
    r"teenth|tieth|pierwszego|piatego|dziesiatego|pietnastego|dwudziestego"
)


def periods(text: str, today: date) -> tuple[DaySpan, ...]:
    """The periods that a question names, in the order of the text, each once; relative ones count from `today`."""
    if not _SIGN.search(flat(text)):
        return ()
    from pipeline.language.time_ranges.interpretation import read_question_days  # noqa: PLC0415 - long to compile, see `_SIGN`

    return tuple(dict.fromkeys(read_question_days(text, counted_from(today))))


def time_range(text: str, today: date) -> TimeRange | None:
    """The range of days that a fact, said on the day `today`, speaks of.

    Nothing where no phrase is sure, and where two name different days, unless one lies inside the others.
    """
    if not _SIGN.search(flat(text)):
        return None
    from pipeline.language.time_ranges.interpretation import read_sure_ranges  # noqa: PLC0415 - as above

    ranges = list(read_sure_ranges(text, counted_from(today)))
    if not ranges:
        return None
    first, last = max(span.first for span in ranges), min(span.last or date.max for span in ranges)
    return next((span for span in ranges if (span.first, span.last or date.max) == (first, last)), None)
