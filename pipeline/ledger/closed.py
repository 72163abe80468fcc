"""A ledger that cannot be opened, for who looks at all that can be looked at without it."""

from pathlib import Path
from typing import NoReturn

from pipeline.errors import PipelineError
from pipeline.ledger.store import Store, Values


class ClosedStore(Store):
    """In place of a file that cannot be opened: whoever asks it anything is told why."""

    def __init__(self, path: Path, why: PipelineError) -> None:
        """`why` is what opening it raised."""
        self.path, self.fresh, self._why = path, False, why

    def write(self, statement: str, values: Values = ()) -> NoReturn:
        """Raise why."""
        del statement, values
        raise self._why

    def delete(self, statement: str, values: Values = ()) -> NoReturn:
        """Raise why."""
        del statement, values
        raise self._why

    def rows(self, query: str, values: Values = ()) -> NoReturn:
        """Raise why."""
        del query, values
        raise self._why

    def close(self) -> None:
        """Nothing is open."""
