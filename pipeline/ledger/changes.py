"""Changes of files, intended and made, and the blocks that they brought.

A change is noted before the file is touched. After a crash the next run settles or drops the intended change.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, KeysView, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Generic, Protocol, Self, TypeVar

from pipeline.ledger.store import LedgerTable, Row, Store, Values
from pipeline.markdown.blocks import Block, block_names, find_blocks
from pipeline.workspace.atomic import Landing


class FileWithBlocks(Protocol):
    """A file as it stands, with its blocks."""

    @property
    def path(self) -> str:
        """Its path."""

    @property
    def names(self) -> frozenset[str]:
        """The names of its blocks."""

    @property
    def digests(self) -> frozenset[tuple[str, str]]:
        """Its blocks, by name and digest."""


Held = TypeVar("Held")
AnyFile = TypeVar("AnyFile", bound=FileWithBlocks)
_PLACED = ("placed",)


class HeldBlocks(Generic[Held]):
    """All rows of the table, by file, each as a value that is made when it is asked for.

    `refresh` reads them once, and again after another connection has changed the ledger or a transaction has come to
    nothing. It reads a row again after `touch`. A caller refreshes before it asks.
    """

    def __init__(self, store: Store, made: Callable[[Row], Held]) -> None:
        self._store = store
        self._made = made
        self._version: tuple[int, int] | None = None
        self._touched: dict[tuple[str, str], None] = {}
        self._rows: dict[str, dict[str, Row]] = {}
        self._values: dict[str, dict[str, Held]] = {}
        self._standing: dict[str, frozenset[str]] = {}
        self._alone: dict[str, frozenset[tuple[str, str]]] = {}
        self._as_noted: dict[str, FileWithBlocks] = {}
        self._marked: defaultdict[Hashable, Counter[str]] = defaultdict(Counter)

    def touch(self, path: str, name: str) -> None:
        """Note that a row of a file is about to change."""
        self._touched[path, name] = None

    def drop(self) -> None:
        """Note that any row may change."""
        self._version = None

    def refresh(self) -> Self:
        """Update the rows from the table. Returns itself."""
        version = self._store.version()
        if version != self._version:
            for held in (self._rows, self._values, self._standing, self._alone, self._as_noted):
                held.clear()
            self._marked.clear()
            self._touched.clear()
            self._add(self._store.rows("SELECT rowid, * FROM blocks ORDER BY rowid"))
            self._version = version
        for touched in self._touched:  # by name, for a page has thousands of rows of what it no longer shows
            self._add(self._store.rows("SELECT rowid, * FROM blocks WHERE path = ? AND name = ?", touched))
        self._touched.clear()
        return self

    def paths(self) -> KeysView[str]:
        """The files with rows."""
        return self._rows.keys()

    def files_with(self, name: str) -> list[str]:
        """The files that have a row of this name."""
        return self._files_with(name)

    def in_state(self, state: str) -> list[str]:
        """The files that have a row in this state."""
        return self._files_with((str(state),))

    def files_with_place(self) -> list[str]:
        """The files that have a row with a place."""
        return self._files_with(_PLACED)

    def has_place(self, path: str) -> bool:
        """Whether a file has a row with a place."""
        return self._marked[_PLACED][path] > 0

    def rows_of(self, names: Iterable[str]) -> Iterator[Row]:
        """The rows of these names."""
        return (self._rows[path][name] for name in names for path in self.files_with(name))

    def _files_with(self, mark: Hashable) -> list[str]:
        return [path for path, rows in self._marked.get(mark, {}).items() if rows]

    def standing_in(self, path: str) -> frozenset[str]:
        """The names of a file's rows of blocks that should be in it."""
        if path not in self._standing:
            rows = self._rows.get(path, {}).values()
            self._standing[path] = frozenset(row["name"] for row in rows if row["state"] in STANDING)
        return self._standing[path]

    def live_alone_in(self, path: str) -> frozenset[tuple[str, str]]:
        """The names and digests of a file's live rows, less those of names that another file has too."""
        if path not in self._alone:
            live = (row for row in self._rows.get(path, {}).values() if row["state"] == BlockState.LIVE)
            named = ((row["name"], row["digest"]) for row in live)
            self._alone[path] = frozenset(pair for pair in named if self.files_with(pair[0]) == [path])
        return self._alone[path]

    def find_differing(self, files: Iterable[AnyFile]) -> list[AnyFile]:
        """The files that have other blocks than their live rows, or a block whose name another file has too.

        A file that differs in nothing is compared again when it is another value, or when its rows change.
        """
        known = self._as_noted
        differing = list[AnyFile]()
        for file in [file for file in files if known.get(file.path) is not file]:
            if file.digests == self.live_alone_in(file.path) and self.standing_in(file.path) == file.names:
                known[file.path] = file
            else:
                differing.append(file)
        return differing

    def of(self, path: str) -> list[Held]:
        """The values of a file's rows, in the order in which they were first written."""
        return [self.one(path, name) for name in self._rows.get(path, ())]

    def one(self, path: str, name: str) -> Held:
        """The value of a file's row of this name."""
        made = self._values.setdefault(path, {})
        if name not in made:
            made[name] = self._made(self._rows[path][name])
        return made[name]

    def _add(self, rows: Iterable[Row]) -> None:
        """Put rows in the place of those of the same names, or behind all others of their files."""
        for row in rows:
            path, name = row["path"], row["name"]
            of_file = self._rows.setdefault(path, {})
            for mark in _marks(of_file[name]) if name in of_file else ():
                self._marked[mark][path] -= 1
            for mark in _marks(row):
                self._marked[mark][path] += 1
            of_file[name] = row
            self._values.get(path, {}).pop(name, None)
            self._standing.pop(path, None)
            for other in self.files_with(name):
                self._alone.pop(other, None)
                self._as_noted.pop(other, None)


def _marks(row: Row) -> Iterator[Hashable]:
    """The keys by which the file of a row is found: its name, its state, and the mark of a place."""
    yield row["name"]
    yield (row["state"],)
    if row["file"] is not None:
        yield _PLACED


REBUILT = "rebuilt"
"""The name in place of the run of a block that was found when a lost ledger was rebuilt."""


class ChangeKind(StrEnum):
    """The kind of a change. `create` made the file; `replace` keeps the bytes from before."""

    CREATE = "create"
    APPEND = "append"
    REPLACE = "replace"


@dataclass(frozen=True)
class Change:
    """One change of one file.

    `after` are the appended bytes, or the whole new file of a rewrite; `before` the old bytes of a rewrite.
    `identities` has the identity of each of our blocks in it, by name. `size` is the length of the file before an
    append, unless another process appended too.
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
        """Our blocks in the text of this change, by name; of several with the same name, the new block."""
        stood = {(block.name, block.digest) for block in find_blocks(self.before or b"")}
        by_name: dict[str, Block] = {}
        for block in find_blocks(self.after):
            brought = (block.name, block.digest) not in stood
            if block.name in self.identities and (brought or block.name not in by_name):
                by_name[block.name] = block
        return by_name


class BlockState(StrEnum):
    """The state of a block that we wrote: its file is to hold it only when it is `live` or `recovered`."""

    LIVE = "live"
    """The block is in its file, and its text is ours, word for word."""

    RECOVERED = "found"
    """The block is in its file, and may not be ours word for word: the ledger was rebuilt, or a person edited it."""

    LOST = "lost"
    """An earlier version of its file, or a half of it, took its place; the block is to be written again, once."""

    FORGOTTEN = "forgotten"
    """A person deleted it, or had it forgotten: `memory/forgotten.md` lists it."""

    ALLOWED = "allowed"
    """A person took its line out of `memory/forgotten.md`: it may be written again."""

    ADOPTED = "adopted"
    """A person had changed it, and it was moved away with their text."""

    UNDONE = "undone"
    """An undo took it out."""

    DROPPED = "dropped"
    """A run, or `memory forget`, took it out."""


_S = BlockState
_AFTER_ABSENCE = frozenset({_S.LIVE, _S.RECOVERED, _S.FORGOTTEN, _S.UNDONE, _S.DROPPED})
STEPS: Mapping[BlockState | None, frozenset[BlockState]] = {
    None: frozenset({_S.LIVE, _S.RECOVERED, _S.FORGOTTEN}),
    _S.LIVE: frozenset({_S.LIVE, _S.LOST, _S.FORGOTTEN, _S.ADOPTED, _S.UNDONE, _S.DROPPED}),
    _S.RECOVERED: frozenset({_S.LIVE, _S.RECOVERED, _S.LOST, _S.FORGOTTEN, _S.ADOPTED, _S.UNDONE, _S.DROPPED}),
    # An editor, or the undo of an adoption, may bring it back before a run does; then it may be undone and forgotten.
    _S.LOST: _AFTER_ABSENCE,
    # From here on: a block that was brought back by hand, or written again, stands again.
    _S.FORGOTTEN: _AFTER_ABSENCE | {_S.ALLOWED},
    **dict.fromkeys((_S.ALLOWED, _S.ADOPTED, _S.UNDONE, _S.DROPPED), _AFTER_ABSENCE),
}
"""The states that may follow each state; `None` is the state of an unknown block."""


class StepRefused(Exception):
    """A state of a block that cannot follow its present one; this is a bug."""

    def __init__(self, path: str, name: str, before: BlockState | None, after: BlockState) -> None:
        """`before` is `None` for an unknown block."""
        super().__init__(f"{name} in {path} cannot be {after} after it was {before or 'not known'}")


@dataclass(frozen=True)
class KnownBlock:
    """A block that we wrote: its file, the SHA-256 of its text, the identity of its entry, and its run."""

    name: str
    path: str
    digest: str
    identity: str
    run_id: str


@dataclass(frozen=True)
class Appended:
    """The place of appended bytes.

    `before` is the SHA-256 of the file before the append, or empty; `behind` that of a line that was seen behind the
    bytes since.
    """

    landing: Landing
    before: str = ""
    behind: str = ""


@dataclass(frozen=True)
class BlockStanding:
    """A block with its state."""

    block: KnownBlock
    state: BlockState


@dataclass(frozen=True)
class HeldBlock:
    """A block with its `number` in the order of writing, its state, and its place, if known."""

    number: int
    standing: BlockStanding
    place: Appended | None


STANDING = (BlockState.LIVE, BlockState.RECOVERED)
_QUOTED = ("live", "found", "lost")
_COLUMNS = "name, path, digest, identity, run"
_EXPECTED = f"('{STANDING[0]}', '{STANDING[1]}')"


class Changes(LedgerTable):
    """The tables of changes and of known blocks."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.held = HeldBlocks(store, _held_block)
        """The table of blocks in memory; other code that changes the table drops it."""

    def intend(self, change: Change) -> Change:
        """Note a change before it is made; the change with its number."""
        number = self._store.write(
            "INSERT INTO changes (run, path, kind, before, after, identities, size, state) "
            "VALUES (:run_id, :path, :kind, :before, :after, :identities, :size, 'intended')",
            vars(change) | {"identities": json.dumps(dict(change.identities))},
        )
        return replace(change, number=number)

    def settle(self, change: Change, names: Collection[str], appended: Appended | None = None) -> None:
        """Note that a change was made, and that its blocks of these names are in the file.

        With the place `appended`, blocks that an editor's old copy takes away are written again; without it they are
        not, nor are blocks that this change itself writes again.
        """
        replaces = change.kind is ChangeKind.REPLACE
        before = {standing.block.name: standing for standing in self.in_file(change.path)}
        with self._store.transaction():
            self._store.write("UPDATE changes SET state = 'done' WHERE id = ?", (change.number,))
            for name, block in change.blocks().items():
                if name not in names:
                    continue
                state, run_id, identity = BlockState.LIVE, change.run_id, change.identities[name]
                known = before.get(name)
                if replaces and known and known.state in STANDING:
                    # A rewrite changes the text of a block, not the run that it came from. A new status line makes the
                    # rest of an entry not ours; an item is rewritten as a whole.
                    run_id, state = known.block.run_id, known.state if identity else state
                self.know(KnownBlock(name, change.path, block.digest, identity, run_id), state)
                if appended or not replaces:
                    again = known is not None and known.state is BlockState.LOST
                    self.place(change.path, name, None if again else appended)

    def know(self, block: KnownBlock, state: BlockState = BlockState.LIVE) -> None:
        """Note a block with its state.

        Raises:
            StepRefused: this cannot follow what it was before.
        """
        self._step(block.path, block.name, state)
        self._add(block, state)

    def _add(self, block: KnownBlock, state: BlockState) -> None:
        self.held.touch(block.path, block.name)
        self._store.write(
            f"INSERT INTO blocks ({_COLUMNS}, state) VALUES (?, ?, ?, ?, ?, ?) "  # noqa: S608 - fixed texts
            "ON CONFLICT (path, name) DO UPDATE SET digest = excluded.digest, identity = excluded.identity, "
            "run = excluded.run, state = excluded.state",
            (block.name, block.path, block.digest, block.identity, block.run_id, state),
        )

    def restore(self, standings: Sequence[BlockStanding]) -> None:
        """Note blocks with their earlier states, after steps that came to nothing."""
        with self._store.transaction():
            for standing in standings:
                self._add(standing.block, standing.state)

    def drop(self, number: int) -> None:
        """Delete an intended change that was not made."""
        self._store.write("DELETE FROM changes WHERE id = ?", (number,))

    def intended_changes(self) -> list[Change]:
        """The changes that a crash may have left unfinished, the oldest first."""
        return self._changes("state = 'intended'")

    def of_run(self, run_id: str) -> list[Change]:
        """The changes a run made, oldest first."""
        return self._changes("state = 'done' AND run = ?", (run_id,))

    def of_path(self, path: str) -> list[Change]:
        """The changes made to a file, oldest first."""
        return self._changes("state = 'done' AND path = ?", (path,))

    def set_state(self, path: str, name: str, state: BlockState) -> None:
        """Note another state of a block; nothing for an unknown block.

        Raises:
            StepRefused: this cannot follow what it was before.
        """
        if self._state(path, name):
            self._step(path, name, state)
            self.held.touch(path, name)
            self._store.write("UPDATE blocks SET state = ? WHERE path = ? AND name = ?", (state, path, name))

    def _step(self, path: str, name: str, state: BlockState) -> None:
        before = self._state(path, name)
        if state not in STEPS[before]:
            raise StepRefused(path, name, before, state)

    def _state(self, path: str, name: str) -> BlockState | None:
        state = self._store.value("SELECT state FROM blocks WHERE path = ? AND name = ?", (path, name))
        return BlockState(state) if state else None

    def rewrite(self, path: str, name: str, digest: str) -> None:
        """Note another text of a block that stays."""
        self.held.touch(path, name)
        self._store.write("UPDATE blocks SET digest = ? WHERE path = ? AND name = ?", (digest, path, name))

    def drop_words(self, path: str, name: str) -> None:
        """Note that an item was erased: no text of it is ours any more. Nothing for an unknown block."""
        if self._state(path, name) is not BlockState.FORGOTTEN:
            self.set_state(path, name, BlockState.DROPPED)
        self.rewrite(path, name, "")

    def live(self) -> list[KnownBlock]:
        """The blocks that should be in the files."""
        return [standing.block for standing in self._standings(f"state IN {_EXPECTED}", ())]

    def names_where(self, owns: Callable[[str], bool]) -> dict[str, frozenset[str]]:
        """The names of the blocks that should be in files with paths that `owns` accepts, by path."""
        table = self.held.refresh()
        named = {path: table.standing_in(path) for path in table.paths() if owns(path)}
        return {path: names for path, names in named.items() if names}

    def standings_of(self, names: Iterable[str]) -> list[BlockStanding]:
        """The known blocks of these names, in any state."""
        table = self.held.refresh()
        return [table.one(path, name).standing for name in names for path in table.files_with(name)]

    def known_names(self, names: Iterable[str]) -> set[str]:
        """The names, of these, that a block has, in any state."""
        table = self.held.refresh()
        return {name for name in names if table.files_with(name)}

    def own_digests(self, names: Iterable[str] | None = None) -> frozenset[tuple[str, str]]:
        """The blocks that are ours word for word, by name and digest; those of `names`, or all."""
        if names is None:
            return frozenset(map(tuple, self._store.rows("SELECT name, digest FROM blocks WHERE state = 'live'")))
        named = self.held.refresh().rows_of(names)
        return frozenset((row["name"], row["digest"]) for row in named if row["state"] == BlockState.LIVE)

    def quoted_identities(self, names: Iterable[str] | None = None) -> dict[str, frozenset[str]]:
        """The identities of entries, by name, except of entries that people took out; those of `names`, or of all."""
        if names is None:
            query = f"SELECT name, identity FROM blocks WHERE identity != '' AND state IN {_QUOTED}"  # noqa: S608 - fixed texts
            rows = [(name, identity) for name, identity in self._store.rows(query)]
        else:
            quoted = (row for row in self.held.refresh().rows_of(names) if row["state"] in _QUOTED)
            rows = [(row["name"], row["identity"]) for row in quoted if row["identity"]]
        by_name = defaultdict[str, set[str]](set)
        for name, identity in rows:
            by_name[name].add(identity)
        return {name: frozenset(identities) for name, identities in by_name.items()}

    def standing_in(self, path: str) -> list[KnownBlock]:
        """The blocks that should be in a file."""
        return [standing.block for standing in self.expected_in(path)]

    def expected_in(self, path: str) -> list[BlockStanding]:
        """The blocks that should be in a file, with their states."""
        held = (block.standing for block in self.held.refresh().of(path))
        return [standing for standing in held if standing.state in STANDING]

    def in_state(self, *states: BlockState) -> list[BlockStanding]:
        """The blocks in one of these states."""
        table = self.held.refresh()
        paths = {path for state in states for path in table.in_state(state)}
        held = (block for path in paths for block in table.of(path) if block.standing.state in states)
        return [block.standing for block in sorted(held, key=lambda block: block.number)]

    def identities_in(self, states: Iterable[BlockState]) -> set[str]:
        """The identities of the blocks in one of these states."""
        marks = json.dumps(list(states))
        query = "SELECT identity FROM blocks WHERE identity != '' AND state IN (SELECT value FROM json_each(?))"
        return set(self._store.column(query, (marks,)))

    def undone(self) -> list[KnownBlock]:
        """The blocks of entries that an undo took out."""
        return [standing.block for standing in self._standings("state = 'undone' AND identity != ''", ())]

    def in_file(self, path: str) -> list[BlockStanding]:
        """All blocks that we have written into a file, in any state."""
        return self._standings("path = ?", (path,))

    def paths(self) -> list[str]:
        """The files that we have written blocks into."""
        return sorted(self.held.refresh().paths())

    def ever_in(self, path: str) -> set[str]:
        """The names of all blocks that we have written into a file, in any state."""
        return set(self._store.column("SELECT name FROM blocks WHERE path = ?", (path,)))

    def places(self, paths: Collection[str] | None = None) -> dict[tuple[str, str], Appended]:
        """The places of the blocks that would be written again, by path and name; in these files, or in all."""
        table = self.held.refresh()
        placed = table.files_with_place() if paths is None else filter(table.has_place, paths)
        held = ((path, block) for path in placed for block in table.of(path))
        return {
            (path, block.standing.block.name): block.place
            for path, block in held
            if block.place and block.standing.state is BlockState.LIVE
        }

    def place(self, path: str, name: str, appended: Appended | None) -> None:
        """Note the place of a block; without a place it is not written again when it disappears."""
        place = (*vars(appended.landing).values(), appended.before, appended.behind) if appended else (None,) * 4
        self.held.touch(path, name)
        query = "UPDATE blocks SET file = ?, landed = ?, before = ?, behind = ? WHERE path = ? AND name = ?"
        self._store.write(query, (*place, path, name))

    def place_all(self, path: str, places: Mapping[str, Appended | None]) -> None:
        """Note the places of blocks of one file, by name, together."""
        with self._store.transaction():
            for name, appended in places.items():
                self.place(path, name, appended)

    def as_written(self, path: str, name: str, digest: str) -> Block | None:
        """The block of this text, as we wrote it into a file at any time; `None` when we never did."""
        for change in reversed(self.of_path(path)):
            block = change.blocks().get(name)
            if block and block.digest == digest:
                return block
        return None

    def _standings(self, where: str, values: Values) -> list[BlockStanding]:
        query = f"SELECT {_COLUMNS}, state FROM blocks WHERE {where} ORDER BY rowid"  # noqa: S608 - fixed texts
        rows = self._store.rows(query, values)
        return [BlockStanding(KnownBlock(*row[:-1]), BlockState(row["state"])) for row in rows]

    def erase(self, name: str, stand_in: str, wiped: Callable[[bytes], bytes]) -> int:
        """Take an entry out of all stored bytes, and its name out of the blocks; how many changes held it.

        `wiped` takes the entry, and the text about it, out of the bytes of a file.
        """
        held = 0
        # One at a time: together they may be the whole history of many pages.
        for number in self._store.column("SELECT id FROM changes WHERE state != 'intended' ORDER BY id"):
            for change in self._changes("id = ?", (number,)):
                before, after = None if change.before is None else wiped(change.before), wiped(change.after)
                if name in change.identities or (before, after) != (change.before, change.after):
                    gone = {name, *(block_names(change.after) - block_names(after))}
                    identities = {key: value for key, value in change.identities.items() if key not in gone}
                    self._store.write(
                        "UPDATE changes SET before = ?, after = ?, identities = ? WHERE id = ?",
                        (before, after, json.dumps(identities), change.number),
                    )
                    held += 1
        self.held.drop()
        self._store.write("UPDATE OR REPLACE blocks SET name = ? WHERE name = ?", (stand_in, name))
        return held

    def erase_files(self, paths: Iterable[str]) -> None:
        """Drop files with their changes and blocks. The caller holds a transaction.

        Raises:
            LedgerDamaged: the ledger cannot be used.
            WriteFailed: the system refuses.
        """
        for path in paths:
            self._store.write("DELETE FROM changes WHERE path = ?", (path,))
            self._store.write("DELETE FROM blocks WHERE path = ?", (path,))
        self.held.drop()

    def _changes(self, where: str, values: Values = ()) -> list[Change]:
        rows = self._store.rows(f"SELECT * FROM changes WHERE {where} ORDER BY id", values)  # noqa: S608 - fixed texts
        return [
            Change(
                *(row["run"], row["path"], ChangeKind(row["kind"]), row["after"]),
                *(json.loads(row["identities"]), row["before"], row["size"], row["id"]),
            )
            for row in rows
        ]


def _held_block(row: Row) -> HeldBlock:
    block = KnownBlock(row["name"], row["path"], row["digest"], row["identity"], row["run"])
    landed = row["file"] is not None
    place = Appended(Landing(row["file"], row["landed"]), row["before"], row["behind"]) if landed else None
    return HeldBlock(row["rowid"], BlockStanding(block, BlockState(row["state"])), place)
