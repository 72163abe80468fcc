"""When the ledger was made again from the files: what happened before, it does not know."""

from datetime import datetime

from pipeline.ledger.store import Store, to_moment, to_text


class Rebuilds:
    """The table of rebuilds."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def note(self, now: datetime) -> None:
        """Note that it was done now."""
        self._store.write("INSERT INTO rebuilds VALUES (?)", (to_text(now),))

    def latest(self) -> datetime | None:
        """When it was done last; `None` when this ledger was there from the beginning."""
        [(at,)] = self._store.rows("SELECT MAX(at) FROM rebuilds")
        return to_moment(at) if at else None
