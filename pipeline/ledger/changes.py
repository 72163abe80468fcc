"""Changes: what a run is about to write and what it wrote, and the blocks that stand in the files since.

A change is noted before the file is touched. After a crash the next run finds the intention and completes or clears it.
"""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from pipeline.ledger.store import Store
from pipeline.markdown.blocks import Block, find_blocks


class ChangeKind(StrEnum):
    """How a file was changed. `create` made it; `replace` keeps the bytes that stood there before."""

    CREATE = "create"
    APPEND = "append"
    REPLACE = "replace"


@dataclass(frozen=True)
class Change:
    """One change of one file.

    `after` is what was appended, or the whole new file of a rewrite; `before` the old bytes of a rewrite. `identities`
    maps the names of our blocks in it to what makes each the same entry again. `size` is how long the file was
    before an append, unless somebody else appended too.
    """

    run_id: str
    path: str
    kind: ChangeKind
    after: bytes
    identities: Mapping[str, str]
    before: bytes | None = None
    size: int = 0
    number: int = 0

    def blocks(self) -> dict[str, Block]:
        """Our blocks as this change wrote them, by name."""
        return {block.name: block for block in find_blocks(self.after) if block.name in self.identities}


@dataclass(frozen=True)
class KnownBlock:
    """A block that we wrote: where, with which text (SHA-256), and what makes it the same entry again."""

    name: str
    path: str
    digest: str
    identity: str
    run_id: str


class Changes:
    """The tables of changes and of known blocks."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def intend(self, change: Change) -> Change:
        """Note a change that is about to be made; the change with its number."""
        number = self._store.write(
            "INSERT INTO changes (run, path, kind, before, after, identities, size, state) "
            "VALUES (:run_id, :path, :kind, :before, :after, :identities, :size, 'intended')",
            vars(change) | {"identities": json.dumps(dict(change.identities))},
        )
        return replace(change, number=number)

    def settle(self, change: Change, names: Collection[str]) -> None:
        """Note that a change was made, and that its blocks of these names stand in the file."""
        # A rewrite changes the text of a block, not the run that it came from.
        replaces = change.kind is ChangeKind.REPLACE
        makers = {block.name: block.run_id for block in self.standing_in(change.path)} if replaces else {}
        with self._store.transaction():
            self._store.write("UPDATE changes SET state = 'done' WHERE id = ?", (change.number,))
            for name, block in change.blocks().items():
                if name in names:
                    run_id = makers.get(name, change.run_id)
                    self.know(KnownBlock(name, change.path, block.digest, change.identities[name], run_id))

    def know(self, block: KnownBlock, state: str = "live") -> None:
        """Note a block that stands in a file."""
        self._store.write(
            "INSERT OR REPLACE INTO blocks (name, path, digest, identity, run, state) VALUES (?, ?, ?, ?, ?, ?)",
            (block.name, block.path, block.digest, block.identity, block.run_id, state),
        )

    def drop(self, number: int) -> None:
        """Forget an intention that was never carried out."""
        self._store.write("DELETE FROM changes WHERE id = ?", (number,))

    def intended(self) -> list[Change]:
        """The changes that a crash may have left half made, oldest first."""
        return self._changes("state = 'intended'", ())

    def of_run(self, run_id: str) -> list[Change]:
        """The changes a run made, oldest first."""
        return self._changes("state = 'done' AND run = ?", (run_id,))

    def of_path(self, path: str) -> list[Change]:
        """The changes made to a file, oldest first."""
        return self._changes("state = 'done' AND path = ?", (path,))

    def set_state(self, path: str, name: str, state: str) -> None:
        """Note what became of a block.

        It is expected in its file when it is `live`, or `found` there by a rebuild. It is not when a person deleted it
        (`forgotten`), took its text as theirs (`adopted`) or let it come again (`allowed`), nor when it was `undone` or
        `dropped` by a run.
        """
        self._store.write("UPDATE blocks SET state = ? WHERE path = ? AND name = ?", (state, path, name))

    def rewrite(self, path: str, name: str, digest: str) -> None:
        """Note another text of a block that stays."""
        self._store.write("UPDATE blocks SET digest = ? WHERE path = ? AND name = ?", (digest, path, name))

    def live(self, *, written: bool = False) -> list[KnownBlock]:
        """The blocks that should stand in the files; with `written` only those whose text we know to be ours."""
        query = "SELECT name, path, digest, identity, run FROM blocks WHERE state IN ('live', ?) ORDER BY rowid"
        return [KnownBlock(*map(str, row)) for row in self._store.rows(query, ("live" if written else "found",))]

    def written(self) -> frozenset[tuple[str, str]]:
        """The blocks whose text we know to be ours, by name and digest."""
        query = "SELECT name, digest FROM blocks WHERE state = 'live'"
        return frozenset((str(name), str(digest)) for name, digest in self._store.rows(query))

    def standing_in(self, path: str) -> list[KnownBlock]:
        """The blocks that should stand in one file."""
        query = "SELECT name, path, digest, identity, run FROM blocks WHERE path = ? AND state IN ('live', 'found')"
        return [KnownBlock(*map(str, row)) for row in self._store.rows(query, (path,))]

    def paths(self) -> list[str]:
        """The files that we have written blocks into."""
        return [str(path) for (path,) in self._store.rows("SELECT DISTINCT path FROM blocks ORDER BY path")]

    def ever_in(self, path: str) -> set[str]:
        """The names of all blocks that we have written into a file, whatever became of them."""
        return {str(name) for (name,) in self._store.rows("SELECT name FROM blocks WHERE path = ?", (path,))}

    def forgotten(self) -> list[KnownBlock]:
        """The blocks that people deleted or forgot."""
        query = "SELECT name, path, digest, identity, run FROM blocks WHERE state = 'forgotten' ORDER BY rowid"
        return [KnownBlock(*map(str, row)) for row in self._store.rows(query)]

    def erase(self, name: str, stand_in: str, wiped: Callable[[bytes], bytes]) -> int:
        """Take an entry out of all stored bytes, and its name out of what is known; how many changes held it.

        `wiped` takes the entry, and what tells of it, out of the bytes of a file.
        """
        held = 0
        # One at a time: together they may be the whole history of many pages.
        for (number,) in self._store.rows("SELECT id FROM changes WHERE state != 'intended' ORDER BY id"):
            for change in self._changes("id = ?", (number,)):
                before, after = None if change.before is None else wiped(change.before), wiped(change.after)
                if name in change.identities or (before, after) != (change.before, change.after):
                    gone = {name, *(_names(change.after) - _names(after))}
                    identities = {key: value for key, value in change.identities.items() if key not in gone}
                    self._store.write(
                        "UPDATE changes SET before = ?, after = ?, identities = ? WHERE id = ?",
                        (before, after, json.dumps(identities), change.number),
                    )
                    held += 1
        self._store.write("UPDATE OR REPLACE blocks SET name = ? WHERE name = ?", (stand_in, name))
        return held

    def _changes(self, where: str, values: tuple[object, ...]) -> list[Change]:
        columns = "id, run, path, kind, before, after, identities, size"
        query = f"SELECT {columns} FROM changes WHERE {where} ORDER BY id"  # noqa: S608 - fixed texts
        return [
            Change(
                number=int(str(number)),
                run_id=str(run),
                path=str(path),
                kind=ChangeKind(str(kind)),
                before=before if isinstance(before, bytes) else None,
                after=after if isinstance(after, bytes) else b"",
                identities=json.loads(str(identities)),
                size=int(str(size)),
            )
            for number, run, path, kind, before, after, identities, size in self._store.rows(query, values)
        ]


def _names(data: bytes) -> set[str]:
    return {block.name for block in find_blocks(data)}
