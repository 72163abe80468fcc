"""The table of blocks, held in memory: a back-fill over years asks for it several times in each of its windows."""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, KeysView
from typing import Generic, Self, TypeVar

from pipeline.ledger.store import Row, Store

Held = TypeVar("Held")
_PLACED = ("placed",)


class HeldBlocks(Generic[Held]):
    """All rows of the table, by file, each as a value that is made when it is asked for.

    `refresh` reads them once, and again after another connection has changed the ledger or a transaction has come to
    nothing. It reads the rows of one file again after `touch`. A caller refreshes before it asks.
    """

    def __init__(self, store: Store, made: Callable[[Row], Held]) -> None:
        self._store = store
        self._made = made
        self._version: tuple[int, int] | None = None
        self._touched: set[str] = set()
        self._rows: dict[str, list[Row]] = {}
        self._values: dict[str, dict[str, Held]] = {}
        self._marked: defaultdict[Hashable, dict[str, None]] = defaultdict(dict)

    def touch(self, path: str) -> None:
        """Note that rows of a file are about to change."""
        self._touched.add(path)

    def drop(self) -> None:
        """Note that any row may change."""
        self._version = None

    def refresh(self) -> Self:
        """This, with the rows as they are now."""
        version = self._store.version()
        if version != self._version:
            for held in (self._rows, self._values, self._marked, self._touched):
                held.clear()
            self._put(self._store.rows("SELECT rowid, * FROM blocks ORDER BY rowid"))
            self._version = version
        while self._touched:
            path = self._touched.pop()
            self._take_out(path)
            self._put(self._store.rows("SELECT rowid, * FROM blocks WHERE path = ? ORDER BY rowid", (path,)))
        return self

    def paths(self) -> KeysView[str]:
        """The files with rows."""
        return self._rows.keys()

    def named(self, name: str) -> list[str]:
        """The files that have a row of this name."""
        return list(self._marked.get(name, ()))

    def in_state(self, state: str) -> list[str]:
        """The files that have a row in this state."""
        return list(self._marked.get((str(state),), ()))

    def placed(self) -> list[str]:
        """The files that have a row with a place."""
        return list(self._marked.get(_PLACED, ()))

    def names(self, path: str, states: Collection[str]) -> set[str]:
        """The names of a file's rows in one of these states."""
        return {row["name"] for row in self._rows.get(path, ()) if row["state"] in states}

    def of(self, path: str) -> list[Held]:
        """The values of a file's rows, in the order in which they were first written."""
        return list(self._by_name(path).values())

    def one(self, path: str, name: str) -> Held:
        """The value of a file's row of this name."""
        return self._by_name(path)[name]

    def _by_name(self, path: str) -> dict[str, Held]:
        if path not in self._values:
            self._values[path] = {row["name"]: self._made(row) for row in self._rows.get(path, ())}
        return self._values[path]

    def _put(self, rows: Iterable[Row]) -> None:
        for row in rows:
            self._rows.setdefault(row["path"], []).append(row)
            for mark in _marks(row):
                self._marked[mark][row["path"]] = None

    def _take_out(self, path: str) -> None:
        self._values.pop(path, None)
        for row in self._rows.pop(path, ()):
            for mark in _marks(row):
                self._marked[mark].pop(path, None)


def _marks(row: Row) -> Iterator[Hashable]:
    """What the file of a row is found by: the name, the state, and whether it has a place."""
    yield row["name"]
    yield (row["state"],)
    if row["file"] is not None:
        yield _PLACED
