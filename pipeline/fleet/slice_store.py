"""The store of a workspace in a slice: what a worker changes in conversations and details is part of its publication.

From the first write on a transaction is open, in which the slice reads and writes its store. The publication goes on in
it, passes the fence, and commits: before, nobody sees anything of it. So a worker that dies, stands still or finds the
fence has changed nothing.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from psycopg import Connection
from psycopg.rows import TupleRow
from sqlalchemy import Connection as StoreConnection

from pipeline.errors.fleet import CheckoutLost
from pipeline.fleet.checkout import HOLD_STORE, Checkout, is_lost
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.workspaces import WAIT_FOR_REMOVAL
from pipeline.store.database import OneTransaction, open_database
from pipeline.store.opening import WorkspaceStore

# Longer than a slice. Whoever takes the workspace ends the transaction at once.
_IDLE_LIMIT = "SET LOCAL idle_in_transaction_session_timeout = '2min'"


def keep_open(connection: StoreConnection) -> None:
    """Let the transaction that has begun go on while its process is busy elsewhere for a while."""
    connection.exec_driver_sql(_IDLE_LIMIT)


@dataclass
class SliceStore(WorkspaceStore):
    """The store of a workspace in a slice, for the holder of a checkout; `fleet` is the database."""

    fleet: FleetDatabase = field(kw_only=True)
    checkout: Checkout = field(kw_only=True)
    _written: OneTransaction | None = field(default=None, init=False, repr=False)

    def open(self) -> OneTransaction:
        """Open the database, in which all that is written is one transaction."""
        opened = open_database(self.root, self.settings)
        self._written = opened.in_one_transaction(self._begin)
        return self._written

    def _begin(self, connection: StoreConnection) -> None:
        keep_open(connection)
        connection.exec_driver_sql(WAIT_FOR_REMOVAL, (self.settings.workspace,))
        connection.exec_driver_sql(HOLD_STORE, (self.settings.workspace,))
        driver: Any = connection.connection.driver_connection
        if is_lost(driver, self.checkout):
            raise CheckoutLost(self.checkout.name)

    @property
    def has_written(self) -> bool:
        """Whether something was written that only a publication makes last."""
        return bool(self._written and self._written.connection)

    @contextmanager
    def publication(self) -> Iterator[Connection[TupleRow]]:
        """The transaction to publish in, which makes last what was written here."""
        if not self._written or not self._written.connection:
            with self.fleet.transaction() as connection:
                yield connection
        else:
            connection = self._written.connection
            with self.fleet.with_fleet_errors():
                yield connection
                connection.commit()
