"""A fleet's database whose process dies between two statements."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

from psycopg import Connection, Cursor
from psycopg.rows import TupleRow

from pipeline.fleet.database import FleetDatabase


class Died(BaseException):
    """The process is gone at this point: nothing that it would have done afterwards happens."""


class StatementCount:
    """Counts statements, and dies before the one after `left` others; `None` never dies."""

    def __init__(self, left: int | None = None) -> None:
        self.left, self.seen = left, 0

    def note(self, connection: Connection[TupleRow]) -> None:
        """One more statement is about to be sent.

        Raises:
            Died: it is the one.
        """
        self.seen += 1
        if self.left is not None and self.seen > self.left:
            connection.pgconn.finish()  # the server sees that the process has gone
            raise Died


class MortalDatabase(FleetDatabase):
    """A database whose statements are counted; to commit is one too, and so is what follows the commit."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.statements = StatementCount()

    @contextmanager
    def transaction(self) -> Iterator[Connection[TupleRow]]:
        """A transaction that may end early."""
        with super().transaction() as connection:
            statements = self.statements

            class Counted(Cursor[TupleRow]):
                def execute(self, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - as of the base class
                    statements.note(connection)
                    return super().execute(*arguments, **named)

                def stream(self, *arguments: Any, **named: Any) -> Generator[TupleRow]:  # noqa: ANN401 - as above
                    statements.note(connection)
                    yield from super().stream(*arguments, **named)

                def copy(self, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - as above
                    statements.note(connection)
                    return super().copy(*arguments, **named)

            connection.cursor_factory = Counted
            yield connection
            statements.note(connection)
            connection.cursor_factory = Cursor
        self.statements.note(connection)
