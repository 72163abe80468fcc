"""When the daily files were last looked at for changes of other hands."""

from datetime import datetime

from pipeline.ledger.store import LedgerTable, to_moment


class Sights(LedgerTable):
    """The moment of the last look at the daily files; what had been changed by then was dealt with."""

    def note(self, now: datetime) -> None:
        """Note a look that began at this moment."""
        with self._store.transaction():
            self._store.write("DELETE FROM sights")
            self._store.write("INSERT INTO sights VALUES (?)", (now,))

    def last(self) -> datetime | None:
        """The moment; `None` before the first look."""
        return to_moment(self._store.value("SELECT at FROM sights"))
