"""The entries of the daily files, each with its place and its trust, and what holds of all of them together."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property

from pipeline.clock import local_day
from pipeline.engine.context import Engine
from pipeline.engine.verification import Written, as_written, gather_evidence, in_force, project_of
from pipeline.entries.reference import ids_by_reference
from pipeline.entries.standing import Fold, fold
from pipeline.ledger.evidence import standing_blocks
from pipeline.markdown.blocks import Block
from pipeline.workspace.families import TargetFile
from schemas.entry import Entry, Status, Trust


@dataclass(frozen=True)
class PlacedEntry:
    """An entry with its place and its trust.

    `adopted` means that a person changed it; `status` is that of the fold now. `disputed` means that it stands in an
    open conflict of a merge, where the other side may have another version of it. `project` is the name of that in
    which it was said, empty where none is known.
    """

    entry: Entry
    path: str
    line: int
    adopted: bool
    status: Status
    text: str
    disputed: bool = False
    project: str = ""

    @property
    def is_verified(self) -> bool:
        """Whether its quote at least is the owner's."""
        return self.entry.trust is not Trust.UNVERIFIED


@dataclass(frozen=True)
class EntryBook:
    """All entries by day and place in the file, and what they say together."""

    places: Sequence[PlacedEntry]
    now: Fold
    _days: dict[str, Counter[date]] = field(default_factory=dict, compare=False)

    @cached_property
    def texts(self) -> Sequence[PlacedEntry]:
        """The version that counts of each entry, where it stands first."""
        return list(self._counting.values())

    @cached_property
    def strange(self) -> Sequence[PlacedEntry]:
        """The entries that do not verify, beside a version that counts too, but for the other side of a conflict."""
        return [
            place
            for place in self.places
            if not place.is_verified and (not place.disputed or self.counting(place.entry.id) is place)
        ]

    def days(self, zone: str) -> Counter[date]:
        """The numbers of entries by the local days of their words."""
        if zone not in self._days:
            self._days[zone] = Counter(local_day(place.entry.date, zone) for place in self.texts)
        return self._days[zone]

    def counting(self, entry_id: str) -> PlacedEntry | None:
        """The version of an entry that counts; `None` when no daily file has it."""
        return self._counting.get(entry_id)

    @cached_property
    def by_reference(self) -> Mapping[str, str]:
        """The ids by every name that a page may have for their entries."""
        return ids_by_reference(place.entry.id for place in self.places)

    @cached_property
    def _counting(self) -> dict[str, PlacedEntry]:
        versions, counting = Counter(place.entry.id for place in self.places), dict[str, PlacedEntry]()
        for place in self.places:
            name = place.entry.id
            if name not in counting and (versions[name] == 1 or self.now.counts(place.entry)):
                counting[name] = place
        return counting


class PlacedFiles:
    """The entries of files with their places and their trust; those of a file are kept while nothing could change them.

    A block that the ledger has word for word is believed whatever else is known. All others are looked at again when
    `evidence` is another.
    """

    def __init__(self) -> None:
        """Nothing is read yet."""
        self._kept: dict[str, _PlacedFile] = {}
        self._evidence: object = None
        self._blocks = _LedgerBlocks()

    def book(self, engine: Engine, files: Iterable[TargetFile], evidence: object) -> EntryBook:
        """The entries of these files as they stand now."""
        before, self._evidence = (self._kept if evidence == self._evidence else {}), None
        self._blocks = self._blocks if before else _LedgerBlocks()
        known, given = _KnownBlocks(engine, self._blocks), list(files)
        whole = as_written((block for file in given for block in file.blocks), known.written)
        self._kept = {file.path: self._looked_at(file, known, evidence, whole) for file in given}
        entries = (place.entry for kept in self._kept.values() for place in kept.places)
        now = fold(entries, engine.local_now().date())
        states, said_in = now.states, engine.catalog.project_lookup()
        for path, kept in self._kept.items():
            same = before.get(path) is kept  # so are the projects of its entries
            kept.places[:] = [
                _as_now(
                    place, states[place.entry.id].status, place.project if same else project_of(place.entry, said_in)
                )
                for place in kept.places
            ]
        self._evidence = evidence  # the ledger may have refused before all projects were known
        return EntryBook([place for kept in self._kept.values() for place in kept.places], now)

    def _looked_at(
        self, file: TargetFile, known: "_KnownBlocks", evidence: object, whole: AbstractSet[str]
    ) -> "_PlacedFile":
        ours = all((block.name, block.digest) in known.written.blocks for block, _ in file.blocks)
        copied = frozenset(block.name for block, _ in file.blocks) & whole
        rests_on, kept = None if ours else (evidence, copied), self._kept.get(file.path)
        if kept and kept.file is file and kept.rests_on == rests_on:
            return kept
        return _PlacedFile(file, rests_on, list(known.place_entries(file, whole)))


@dataclass(frozen=True)
class _PlacedFile:
    """A file with its entries; nothing else than what it `rests_on` decides how far they are believed."""

    file: TargetFile
    rests_on: object
    places: list[PlacedEntry]


def _as_now(place: PlacedEntry, status: Status, project: str) -> PlacedEntry:
    same = place.status is status and place.project == project
    return place if same else replace(place, status=status, project=project)


@dataclass
class _LedgerBlocks:
    """Blocks by name and digest while the ledger has not changed: all of ours, and those that should stand."""

    written: AbstractSet[tuple[str, str]] | None = None
    standing: AbstractSet[tuple[str, str]] | None = None


@dataclass(frozen=True)
class _KnownBlocks:
    """The blocks that the ledger knows; each part is read when it is asked for, and `kept`."""

    engine: Engine
    kept: _LedgerBlocks

    @cached_property
    def written(self) -> Written:
        """The evidence of the ledger."""
        if self.kept.written is None:
            self.kept.written = self.engine.ledger.changes.own_digests()
        written = gather_evidence(self.engine.ledger.changes, self.kept.written)
        live = {name for name, _ in written.blocks}
        # Of a name that no block of ours has now there is no original; the whole ledger is not read for that.
        return replace(written, original=lambda name: written.original(name) if name in live else None)

    @cached_property
    def standing(self) -> AbstractSet[tuple[str, str]]:
        """The blocks that should stand in the files, by name and digest."""
        if self.kept.standing is None:
            standing = standing_blocks(self.engine.ledger.store)
            # Mostly they are the same, and need no second place.
            self.kept.standing = self.kept.written if standing == self.kept.written else standing
        return self.kept.standing

    @cached_property
    def names(self) -> AbstractSet[str]:
        return {name for name, _ in self.standing}

    def place_entries(self, file: TargetFile, whole: AbstractSet[str]) -> Iterator[PlacedEntry]:
        for block, entry in file.blocks:
            sure = in_force(block, entry, self.written, self.engine.catalog, whole)
            if sure:
                ours = sure.trust is not Trust.UNVERIFIED or block.name in self.names
                adopted = ours and not (block.intact and self._is_as_written(block))
                disputed = any(first <= block.line <= last for first, last in file.conflicts)
                yield PlacedEntry(sure, file.path, block.line, adopted, (entry or sure).status, block.text, disputed)

    def _is_as_written(self, block: Block) -> bool:
        """Whether the ledger does not know a block with another text."""
        known = block.name, block.digest
        return known in self.written.blocks or block.name not in self.names or known in self.standing
