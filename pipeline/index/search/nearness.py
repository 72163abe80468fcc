"""How well a day fits the time that a question names: it raises hits and leaves none out."""

from datetime import date, timedelta

from pipeline.language.time_ranges.spans import DaySpan

SPILL = timedelta(days=7)
"""Events of a day are mentioned in the days after it too."""
_WEEK, _MONTH = 7, 31
_INSIDE = ((_WEEK, 1.0), (_MONTH, 0.5))
_INSIDE_LONGER = 0.1


def nearness(period: DaySpan, day: date) -> float:
    """How well a day fits, 0 to 1: a short period weighs more; a day just after it counts half."""
    if not period.every_year:
        return _nearness(period, day)
    shifted = (period.in_year(day.year + years) for years in (-1, 0))
    return max((_nearness(period, day) for period in shifted if period), default=0.0)


def _nearness(period: DaySpan, day: date) -> float:
    length = (period.last - period.first).days + 1
    inside = next((worth for most, worth in _INSIDE if length <= most), _INSIDE_LONGER)
    if period.first <= day <= period.last:
        return inside
    spills = inside > _INSIDE_LONGER and timedelta() < day - period.last <= SPILL
    return inside / 2 if spills else 0.0
