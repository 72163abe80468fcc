"""On which days a wrap-up comes back to something."""

from datetime import date

from jobs.consolidation.inputs import WrapUpLine
from jobs.consolidation.scorer import Recurrence
from tests.support.tables import table

SAID = date(2026, 3, 2)
LATER = date(2026, 3, 4)


def days(statement: str, *lines: str, day: date = LATER) -> set[date]:
    """The days on which these lines come back to the statement."""
    return Recurrence([WrapUpLine(day, line) for line in lines], [statement]).days(statement, SAID)


@table(
    ("statement", "line"),
    [
        ("the deposit goes up to 30 percent from april", "Guests ask why the deposit is 30 percent from April"),
        ("powyżej 60 sztuk połowa zaliczki z góry", "Pani Ewa: 80 sztuk, zaliczka, połowa wpłacona z góry"),
        ("團體訂單要留聯絡人的手機", "有一個團體訂單没有聯絡人手機"),
    ],
)
def test_a_line_about_the_same_matter_counts(statement: str, line: str) -> None:
    """In the three languages; several lines of a day are one day."""
    assert {LATER} == days(statement, line, line)


def test_a_line_that_shares_little_does_not() -> None:
    """Two words in common are too few."""
    assert set() == days("the deposit goes up to 30 percent from april", "The deposit box in april is full of mice")


def test_only_later_days_count() -> None:
    """A day's own wrap-up lists what was said that day."""
    line = "the deposit goes up to 30 percent from april"
    assert set() == days(line, line, day=SAID)
    assert set() == days(line)
