"""A table is one test, and tells each row that is wrong."""

import pytest

from tests.support.tables import table


def test_every_wrong_row_is_listed() -> None:
    """With its values and with what is wrong; the right ones are not, and none keeps the next from being looked at."""

    @table("one, other", [(1, 1), (1, 2), (3, 3), (4, 5)])
    def equal(one: int, other: int) -> None:
        assert one == other

    with pytest.raises(BaseExceptionGroup, match="2 of 4 rows are wrong") as failed:
        equal()
    assert [["in the row (1, 2)"], ["in the row (4, 5)"]] == [error.__notes__ for error in failed.value.exceptions]


def test_what_does_not_raise_is_a_wrong_row() -> None:
    """As `pytest.raises` tells it; a row of one value may be a tuple."""

    @table("row", [(1, 0), (1, 1)])
    def divide(row: tuple[int, int]) -> None:
        with pytest.raises(ZeroDivisionError):
            _ = row[0] / row[1]

    with pytest.raises(BaseExceptionGroup, match="1 of 2 rows are wrong"):
        divide()


def test_a_table_without_rows_is_wrong() -> None:
    """Else what makes the rows could come to make none, and nobody would see it."""

    @table("row", [])
    def right(row: int) -> None:
        assert row

    with pytest.raises(AssertionError, match="no rows"):
        right()
