"""Tables of cheap cases: one test for all rows, which lists every row that is wrong."""

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import signature

import pytest

WRONG = (AssertionError, pytest.fail.Exception)


def table(names: str | tuple[str, ...], rows: Iterable[object]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """As `pytest.mark.parametrize`, in one test: an id of its own for each row would take longer than the row.

    The rows share the fixtures of the test, so it is for tests that change nothing. It raises BaseExceptionGroup with
    what is wrong of each wrong row.
    """
    of_row = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    given = [row if len(of_row) > 1 and isinstance(row, list | tuple) else (row,) for row in rows]

    def over_rows(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def every_row(**fixtures: object) -> None:
            assert given, "the table has no rows"
            wrong = list[BaseException]()
            for row in given:
                try:
                    test(**fixtures, **dict(zip(of_row, row, strict=True)))
                except WRONG as error:
                    error.add_note(f"in the row {row!r}")
                    wrong.append(error)
            if wrong:
                message = f"{len(wrong)} of {len(given)} rows are wrong"
                raise BaseExceptionGroup(message, wrong)

        shown = signature(test)
        left = [parameter for name, parameter in shown.parameters.items() if name not in of_row]
        every_row.__signature__ = shown.replace(parameters=left)  # type: ignore[attr-defined]  # pytest reads it
        return every_row

    return over_rows
