"""The minute of a question in Cursor."""

from pipeline.adapters.sources.speakers.cursor import time_of_question
from tests.support.tables import table


@table(
    ("stamp", "time"),
    [
        ("Sunday, Aug 2, 2026, 3:51 AM (UTC-7)", "2026-08-02T10:51:00+00:00"),
        ("Sunday, August 2, 2026, 12:05 PM (UTC)", "2026-08-02T12:05:00+00:00"),
        ("Aug 2, 2026 12:05\u202fAM (UTC+5:30)", "2026-08-01T18:35:00+00:00"),
        ("Sunday, Aug 32, 2026, 3:51 AM (UTC-7)", None),
        ("Sunday, Aug 2, 2026, 3:51 AM (UTC+99)", None),
        ("Sunday, Foo 2, 2026, 3:51 AM (UTC+1)", None),
        ("2 August", None),
    ],
)
def test_the_minute_of_a_question(stamp: str, time: str | None) -> None:
    """With its offset; another way to write it is no time."""
    asked = time_of_question(f"<timestamp>{stamp}</timestamp>\n<user_query>x</user_query>")
    assert time == (asked.isoformat() if asked else None)
