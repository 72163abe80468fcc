"""Tables of cheap cases: one test for all rows, which lists every row that is wrong."""

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import signature
from pathlib import Path

import pytest

WRONG = (AssertionError, pytest.fail.Exception, BaseExceptionGroup)
FOLDER = "tmp_path"


def table(names: str | tuple[str, ...], rows: Iterable[object]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """As `pytest.mark.parametrize`, in one test: an id of its own for each row would take longer than the row.

    The rows share the fixtures of the test but for `tmp_path`, of which each has a folder of its own. So it is for
    tests that change nothing else. Tables may stand above each other. A test raises BaseExceptionGroup with what is
    wrong of each wrong row.
    """
    of_row = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    given = [row if len(of_row) > 1 and isinstance(row, list | tuple) else (row,) for row in rows]

    def over_rows(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def every_row(**fixtures: object) -> None:
            assert given, "the table has no rows"
            wrong = list[BaseException]()
            for number, row in enumerate(given):
                try:
                    test(**_of_row(fixtures, number), **dict(zip(of_row, row, strict=True)))
                except WRONG as error:
                    error.add_note(f"in the row {row!r}")
                    wrong.append(error)
            if wrong:
                message = f"{len(wrong)} of {len(given)} rows are wrong"
                raise BaseExceptionGroup(message, wrong)

        shown = signature(test)
        left = [parameter for name, parameter in shown.parameters.items() if name not in of_row]
        vars(every_row)["__signature__"] = shown.replace(parameters=left)  # which pytest reads
        return every_row

    return over_rows


def _of_row(fixtures: dict[str, object], number: int) -> dict[str, object]:
    """The fixtures of a row."""
    folder = fixtures.get(FOLDER)
    if not isinstance(folder, Path):
        return fixtures
    (folder / str(number)).mkdir()
    return {**fixtures, FOLDER: folder / str(number)}
