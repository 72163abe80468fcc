"""Which lines of a crontab are taken, and that they mean what they mean to cron."""

from datetime import UTC, datetime, timedelta

import pytest

from pipeline.scheduling.crontab import check_cron
from pipeline.scheduling.windows import ticks
from schemas.window import Window
from tests.support.tables import table


@table("cron", ["", "every hour", "61 * * * *", "* * * *", "0 0 30 2 *"])
def test_a_line_that_is_no_schedule_is_refused(cron: str) -> None:
    """No crontab line, or one that never comes."""
    with pytest.raises(ValueError, match=r"."):
        check_cron(cron)


@table("cron", ["0 * * * *", "15 1-3 * * *", "0 9,18 * * mon-fri", "30 2 */2 * mon", "0 0 29 2 *"])
def test_a_line_that_is_one_is_taken(cron: str) -> None:
    """Also one that comes once in four years."""
    check_cron(cron)


@table(
    ("field", "days"),
    [
        ("1", {"Mon"}),
        ("0", {"Sun"}),
        ("7", {"Sun"}),
        ("1-5", {"Mon", "Tue", "Wed", "Thu", "Fri"}),
        ("5-7", {"Fri", "Sat", "Sun"}),
        ("*/2", {"Sun", "Tue", "Thu", "Sat"}),
        ("mon,3", {"Mon", "Wed"}),
        ("0-6/3", {"Sun", "Wed", "Sat"}),
    ],
)
def test_weekdays_are_those_of_a_crontab(field: str, days: set[str]) -> None:
    """They count from Sunday, and 7 is Sunday too."""
    week = Window(start=datetime(2026, 3, 2, tzinfo=UTC), end=datetime(2026, 3, 9, tzinfo=UTC))
    names = {f"{tick:%a}" for tick in ticks(f"0 9 * * {field}", "UTC", week) if tick.hour == 9}
    assert days == names


@table(
    ("days", "expected"),
    [
        ("1 * 1", [1, 2, 9, 16, 23, 30]),
        ("13 * 5", [6, 13, 20, 27]),
        ("13,14 * fri", [6, 13, 14, 20, 27]),
        ("30 3 1", [2, 9, 16, 23, 30]),
        ("*/10 * 0-6", [1, 11, 21, 31]),
        ("*/2 * 1", [9, 23]),
        ("1-7 * */7", [1]),
        ("13 * *", [13]),
        ("* * 5", [6, 13, 20, 27]),
    ],
)
def test_either_day_is_enough_as_in_cron(days: str, expected: list[int]) -> None:
    """Of the month or of the week, when a line names both; where one of them begins with `*`, both have to fit."""
    march = Window(start=datetime(2026, 2, 28, 23, 59, tzinfo=UTC), end=datetime(2026, 3, 31, 23, tzinfo=UTC))

    assert expected == [tick.day for tick in ticks(f"0 9 {days}", "UTC", march) if tick.hour == 9]


@table(
    ("day", "month", "expected"),
    [(29, 3, ["29 01:30", "30 00:30"]), (25, 10, ["25 00:30", "26 01:30"])],
)
def test_either_day_is_enough_when_the_clocks_change(day: int, month: int, expected: list[str]) -> None:
    """A Sunday on which 02:30 is skipped, or comes twice, and the Monday after it, in Warsaw."""
    start = datetime(2026, month, day, tzinfo=UTC) - timedelta(days=1)
    moments = ticks(f"30 2 {day} * mon", "Europe/Warsaw", Window(start=start, end=start + timedelta(days=4)))

    assert expected == [f"{tick:%d %H:%M}" for tick in moments if tick.minute]


def test_a_line_that_comes_by_one_of_its_days_is_taken() -> None:
    """The 30th of February never comes; its Mondays do."""
    check_cron("0 9 30 2 1")
    with pytest.raises(ValueError, match="never comes"):
        check_cron("0 9 30 2 */7")


def test_no_weekday_is_refused() -> None:
    """With a sentence."""
    with pytest.raises(ValueError, match="is no weekday"):
        check_cron("0 9 * * 8")


@table(
    ("cron", "fault"),
    [
        ("0 25 * * *", "there is no hour 25; it goes from 0 to 23"),
        ("61 3 * * *", "there is no minute 61; it goes from 0 to 59"),
        ("0 3 32 * *", "there is no day of the month 32; it goes from 1 to 31"),
        ("0 3 * may,june *", "'june' is no month; write a number, a range such as 1-5, * or a step such as */2"),
        ("0 3 * * abc", "'abc' is no weekday"),
        ("0 9-5 * * *", "'9-5' is no range: it ends before it begins"),
        ("*/0 3 * * *", "'*/0' has no step; steps begin with 1"),
        ("3 * * *", "it has 4 fields, and needs 5: minute, hour, day, month, weekday"),
    ],
)
def test_what_is_wrong_with_a_line(cron: str, fault: str) -> None:
    """It names the field, and what may stand there."""
    with pytest.raises(ValueError, match="is no crontab line") as caught:
        check_cron(cron)
    assert f"{cron!r} is no crontab line: {fault}" == str(caught.value)
