"""The entries of the daily files, each with its place and its trust, and what holds of all of them together."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pipeline.engine.context import Engine
from pipeline.engine.verification import believed, written_blocks
from pipeline.entries.standing import Fold, fold, precedence_of
from pipeline.ledger.changes import KnownBlock
from pipeline.workspace.families import TargetFile
from schemas.entry import Entry, Status, Trust


@dataclass(frozen=True)
class PlacedEntry:
    """An entry with its place and its trust.

    `adopted` means that a person changed it; `status` is that of the fold now.
    """

    entry: Entry
    path: str
    line: int
    adopted: bool
    status: Status
    text: str

    @property
    def verified(self) -> bool:
        """Whether its quote at least is the owner's."""
        return self.entry.trust is not Trust.UNVERIFIED


@dataclass(frozen=True)
class EntryBook:
    """All entries by day and place in the file, what they say together, and by their ids the runs that wrote them."""

    places: Sequence[PlacedEntry]
    now: Fold
    runs: Mapping[str, str]

    @cached_property
    def texts(self) -> Sequence[PlacedEntry]:
        """The entries `without_copies`."""
        return without_copies(self.places)

    def counting(self, entry_id: str) -> PlacedEntry | None:
        """The version of an entry that counts; `None` when no daily file has it."""
        versions = (place for place in self.places if place.entry.id == entry_id)
        return next((place for place in versions if self.now.counts(place.entry)), None)


def book_of(engine: Engine, files: Iterable[TargetFile]) -> EntryBook:
    """The entries of these files as they stand now."""
    standing = engine.ledger.changes.live()
    places = list(_placed(engine, files, standing))
    now = fold(place.entry for place in places)
    current = [replace(place, status=now.states[place.entry.id].status) for place in places]
    return EntryBook(current, now, {block.name: block.run_id for block in standing})


def without_copies(places: Sequence[PlacedEntry]) -> list[PlacedEntry]:
    """The places in their order, of each text one: of copies that differ at most in their standing, what counts.

    Versions with other words are no copies.
    """
    best: dict[Entry, PlacedEntry] = {}
    for place in places:
        text = place.entry.model_copy(update={"status": Status.ACTIVE, "superseded_by": ()})
        known = best.setdefault(text, place)
        if precedence_of(place.entry) > precedence_of(known.entry):
            best[text] = place
    shown = {id(place) for place in best.values()}
    return [place for place in places if id(place) in shown]


def _placed(engine: Engine, files: Iterable[TargetFile], standing: Iterable[KnownBlock]) -> Iterator[PlacedEntry]:
    written = written_blocks(engine.ledger.changes)
    known = {(block.name, block.digest) for block in standing}
    names = {name for name, _ in known}
    for file in files:
        for block, entry in file.blocks:
            if entry:
                sure = believed(block, entry, written, engine.catalog)
                ours = sure.trust is not Trust.UNVERIFIED or block.name in names
                unchanged = block.intact and (block.name not in names or (block.name, block.digest) in known)
                adopted = ours and not unchanged
                yield PlacedEntry(sure, file.path, block.line, adopted, entry.status, block.text)
