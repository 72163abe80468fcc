"""The time of facts in English."""

from tests.support.time_tables import misread

SURE = (
    ("two weeks ago on Monday it failed", "2025-11-10..2025-11-10"),
    ("Tuesday, December 2", "2025-12-02..2025-12-02"),
    ("since Jan 2 it is so", "2026-01-02..", "2026-03-04"),
    ("last week", "2026-02-23..2026-03-01", "2026-03-08"),
    ("this month", "2024-02-01..2024-02-29", "2024-02-29"),
    ("last night we met", "2025-12-31..2025-12-31", "2026-01-01"),
    ("Currently in Marrakech (Nov 27-Dec 1, 2025) for Andy's birthday", "2025-11-27..2025-12-01"),
    ("the new viewer comes from april", "2026-04-01.."),
    ("From 1 December 95 per hour", "2025-12-01.."),
    ("From 1 March my rate is 95", "2026-03-01.."),
    ("in the week of 8 December", "2025-12-08..2025-12-14"),
    ("since Monday I feel better", "2025-11-24.."),
    ("I'm in Marrakech until the first", "2025-11-25..2025-12-01"),
    ("around Nov 27", "2025-11-24..2025-11-30"),
    ("in the first week of March", "2026-03-01..2026-03-07"),
    ("from Dec 1 through Dec 5", "2025-12-01..2025-12-05"),
    ("Dec 28 to Jan 3", "2025-12-28..2026-01-03"),
    ("last Tuesday we met", "2025-11-18..2025-11-18"),
    ("on Monday we deployed it", "2025-11-24..2025-11-24"),
    ("on Monday I will fly", "2025-12-01..2025-12-01"),
    ("Friday last week", "2025-11-21..2025-11-21"),
    ("in May of last year", "2024-05-01..2024-05-31"),
    ("by the end of next month", "2025-11-25..2025-12-31"),
    ("01/15/2024", "2024-01-15..2024-01-15"),
    ("for the next two weeks", "2025-11-25..2025-12-09"),
    ("a couple of days ago", "2025-11-22..2025-11-24"),
    ("in 2024 we moved", "2024-01-01..2024-12-31"),
    ("early next year", "2026-01-01..2026-03-31"),
    ("from tomorrow on", "2025-11-26.."),
    ("yesterday, in November, we met", "2025-11-24..2025-11-24"),
)
DOUBTFUL = (
    ("decided last week - tomorrow we ship", ""),
    ("they promised delivery on Friday", ""),
    ("the release scheduled on Friday", ""),
    ("I was born on May 5", ""),
    ("I lived there until March", ""),
    ("not until Friday", ""),
    ("every year on December 24", ""),
    ("it calls today() first", ""),
    ("on Monday we met", "", "2025-11-24"),
    ("in March I ran", "", "2025-10-20"),
    ("the first quarter of the game", ""),
    ("May I ask you something", ""),
    ("it may be 5 or 6", ""),
    ("wait a second", ""),
    ("the second of them failed", ""),
    ("march on, soldiers", ""),
    ("the march took 3 days", ""),
    ("August is my sister", ""),
    ("Sat down in the sun", ""),
    ("the build took 3 days", ""),
    ("we agreed to ship on Friday", ""),
    ("every Monday we meet", ""),
    ("Black Friday sales", ""),
    ("I work Monday to Friday", ""),
    ("see memory/2025-11-20.md", ""),
    ("a chunk size of 2000 tokens", ""),
    ("port 2020 is open", ""),
    ("version 2024.1", ""),
    ("up to 3 may read it", ""),
    ("recently I sleep badly", ""),
    ("before March 5 it was slow", ""),
    ("next Friday", ""),
    ("the last week of school", ""),
    ("not yesterday", ""),
    ("approved by April", ""),
    ("USA Today wrote it", ""),
    ("in 2024 tests it failed", ""),
    ("keep the last 3 of them, 24/7", ""),
    ("yesterday's news is old", ""),
    ("feels like just yesterday", ""),
    ("yesterday we agreed to ship on December 5", ""),
    ("05/06/2024", ""),
    ("in the 1990s", ""),
)


def test_what_is_sure_in_english_is_read() -> None:
    """To the day; without an end it goes on."""
    assert [] == misread(SURE)


def test_what_is_doubtful_in_english_is_no_time() -> None:
    """Words that only look like times, habits, counts, paths, and times that may be two."""
    assert [] == misread(DOUBTFUL)
