"""The three-way merge of a file: what changed here, and what changed there, since both had the same.

The unit is a block of ours, known by its name, or a line of anybody else. A unit that the base did not have is new, and
never a deletion; a missing file is no deletion either. Two changes of the same unit are a conflict, and no guess.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from pipeline.backup.alignment import match_sequences
from pipeline.markdown.blocks import drop_overlaps, find_blocks, split_lines


class Side(StrEnum):
    """The side whose words hold in a conflict, where a person has said so."""

    HERE = "here"
    BACKUP = "backup"


_Name = tuple[str, bytes]


class TextUnit(NamedTuple):
    """A block or a line: its name, by which it is known on the other side, and its bytes."""

    name: _Name
    data: bytes


_Units = Sequence[TextUnit]

_ROUNDS = 8
"""Merges after which a text that is not the same again is a conflict; the second one changes nothing as a rule."""


@dataclass(frozen=True)
class Conflict:
    """A place in which both sides changed the same; `here` and `there` are what they have now."""

    here: bytes
    there: bytes


@dataclass(frozen=True)
class MergedText:
    """A merged file, and its conflicts; in these places it has what the preferred side has, or else what is here."""

    data: bytes
    conflicts: tuple[Conflict, ...] = ()


def merge_file(base: bytes | None, here: bytes | None, there: bytes | None, prefer: Side | None = None) -> MergedText:
    """The file of both sides; `None` is a file that is not there. One of both sides has to be."""
    if here is None or there is None:
        return MergedText((there if here is None else here) or b"")
    if there in (here, base):
        return MergedText(here)
    if here == base:
        return MergedText(there)
    if any(b"\0" in data for data in (base or b"", here, there)):  # no text
        return MergedText(there if prefer is Side.BACKUP else here, () if prefer else (Conflict(here, there),))
    return _merge_texts(base or b"", here, there, prefer)


def _merge_texts(base: bytes, here: bytes, there: bytes, prefer: Side | None) -> MergedText:
    """The text of both sides. If it would change when it is merged again, or lacks something, all is a conflict."""
    before, theirs = units_of(base), units_of(there)
    if (settled := _settle(before, here, theirs, prefer)) is not None:
        return settled
    if prefer is None:
        return MergedText(here, (Conflict(here, there),))
    kept = _keep_blocks(before, here, theirs, prefer)
    again = _settle(before, kept, theirs, prefer) or MergedText(_keep_blocks(before, kept, theirs, prefer))
    return MergedText(kept if again.data == kept else here if prefer is Side.HERE else there)


def _settle(base: _Units, here: bytes, there: _Units, prefer: Side | None) -> MergedText | None:
    """Merge until nothing changes but empty lines; `None` where that does not end, or the text does not hold both."""
    data, is_decided = here, False
    for _ in range(_ROUNDS):
        merging = _FileMerging(base, units_of(data), there, prefer)
        merged = _join_units(merging.units())
        if merging.conflicts and prefer is None:
            return MergedText(merged, tuple(merging.conflicts)) if data == here else None
        is_decided |= bool(merging.conflicts)
        if _without_empty(merged) == _without_empty(data):
            # A person who decides may leave out words of a side, and need not decide again.
            is_whole = is_decided or (prefer and data == here)
            return MergedText(data) if is_whole or _holds_both(base, units_of(here), there, units_of(data)) else None
        data = merged
    return None


def _keep_blocks(base: _Units, here: bytes, there: _Units, prefer: Side) -> bytes:
    """The lines of the preferred side, with the changes of both sides to blocks, which are known by their names."""
    ours = units_of(here)
    sides = (ours, _with_blocks_of(there, base)) if prefer is Side.HERE else (_with_blocks_of(ours, base), there)
    return _join_units(_FileMerging(base, *sides, prefer).units())


def _with_blocks_of(side: _Units, base: _Units) -> _Units:
    """The base with the blocks of a side: those that are new there stand at the end."""
    blocks, had = {unit.name: unit for unit in side if unit.name[0]}, {unit.name for unit in base}
    kept = [blocks.get(unit.name, unit) for unit in base if not unit.name[0] or unit.name in blocks]
    return kept + [unit for name, unit in blocks.items() if name not in had]


def _holds_both(base: _Units, here: _Units, there: _Units, merged: _Units) -> bool:
    """Whether a merged file has everything as often as the changes of both sides make it."""
    had, ours, theirs, now = (
        Counter((unit.name, unit.data.strip() if unit.name[0] else b"") for unit in side if unit.data.strip())
        for side in (base, here, there, merged)
    )
    # Merged again, a line counts as added or taken out on both sides, and only its place tells which line it is.
    for unit in had | ours | theirs | now if now != ours else theirs.keys() - had.keys():
        both = ours[unit] + theirs[unit] - had[unit]
        # Both sides may have added, or taken out, the same.
        same = sorted((both, ours[unit], theirs[unit]))[1]
        least, most = sorted((both, same))
        if not max(least, min(ours[unit], theirs[unit], 1)) <= now[unit] <= most:
            return False
    return True


def _without_empty(data: bytes) -> list[bytes]:
    return [unit.data for unit in units_of(data) if unit.data.strip()]


def _join_units(units: Iterable[TextUnit]) -> bytes:
    parts = list[bytes]()
    for unit in units:
        if parts and not parts[-1].endswith(b"\n"):
            parts.append(b"\n")
        parts.append(unit.data)
    return b"".join(parts)


def units_of(data: bytes) -> list[TextUnit]:
    """The blocks of a file, and the lines between them, in their order. A block that comes again is another one."""
    units, at, times = list[TextUnit](), 0, Counter[str]()
    for block in drop_overlaps(find_blocks(data)):
        units += _lines(data[at : block.start])
        times[block.name] += 1
        units.append(TextUnit((block.name, b"%d" % times[block.name]), data[block.start : block.end]))
        at = block.end
    return units + _lines(data[at:])


def _lines(data: bytes) -> list[TextUnit]:
    return [TextUnit(("", line.body), data[line.start : line.end]) for line in split_lines(data)]


@dataclass
class _FileMerging:
    base: _Units
    here: _Units
    there: _Units
    prefer: Side | None
    conflicts: list[Conflict] = field(default_factory=list)

    def units(self) -> Iterator[TextUnit]:
        """The units of the merged file.

        A block that one side took out is out, wherever the other side has put it; one that both put into different
        places stands in the first. Lines have no names of their own: equal ones are told apart by their places.
        """
        base = {unit.name: unit.data for unit in self.base if unit.data.strip()}
        here, there = ({unit.name for unit in side} for side in (self.here, self.there))
        given = dict[_Name, TextUnit]()
        for unit in self._in_order():
            name = unit.name
            if name[0] and base.get(name) == unit.data and name not in here & there:
                continue
            if name[0] and name in given:
                if given[name].data != unit.data:
                    self.conflicts.append(Conflict(given[name].data, unit.data))
                continue
            given[name] = unit
            yield unit

    def _in_order(self) -> Iterator[TextUnit]:
        """The units that all three have, and between them those that only some have."""
        in_here, in_there = _matches(self.base, self.here), _matches(self.base, self.there)
        shared = [(at, in_here[at], in_there[at]) for at in range(len(self.base)) if at in in_here and at in in_there]
        end = (len(self.base), len(self.here), len(self.there))
        start, empty = (0, 0, 0), list[tuple[int, int, int]]()
        for places in [*shared, end]:
            if places != end and _is_empty(self.base[places[0]].name):
                empty.append(places)
                continue
            # An empty line parts two changes, but not where a line may have moved across it.
            for inner in [*([] if self._is_unclear(start, places) else empty), places]:
                yield from self._between(*self._parts(start, inner))
                if inner != end:
                    yield self._unit(self.base[inner[0]], self.here[inner[1]], self.there[inner[2]])
                start = (inner[0] + 1, inner[1] + 1, inner[2] + 1)
            empty.clear()

    def _parts(self, start: Sequence[int], end: Sequence[int]) -> tuple[_Units, _Units, _Units]:
        base, here, there = (slice(*bounds) for bounds in zip(start, end, strict=True))
        return self.base[base], self.here[here], self.there[there]

    def _is_unclear(self, start: Sequence[int], end: Sequence[int]) -> bool:
        """Whether both sides changed a part, and a line that one took out may be an equal one of the other."""
        base, here, there = self._parts(start, end)
        return base not in (here, there) and here != there and _PartChanges.between(base, here, there).is_unclear

    def _unit(self, base: TextUnit, here: TextUnit, there: TextUnit) -> TextUnit:
        """A unit that all three have under its name."""
        if there.data in {base.data, here.data} or not here.name[0]:  # of a line only its end can differ
            return here
        if here.data == base.data:
            return there
        return self._decide([here], [there])[0]

    def _between(self, base: _Units, here: _Units, there: _Units) -> _Units:
        """The units between two that all three have."""
        if there in (base, here):
            return here
        if here == base:
            return there
        changes = _PartChanges.between(base, here, there)
        here, there = changes.sides
        if changes.is_contradiction:
            return self._decide(here, there)
        before, (gone_here, gone_there), (added_here, added_there) = changes.before, changes.gone, changes.added_lines
        # What only one side added comes behind the units of the side that took something out, or added all lines.
        leads_there = gone_there and not gone_here if bool(added_here) == bool(added_there) else added_there
        main, other = (there, here) if leads_there else (here, there)
        beside, merged = {unit.name: unit for unit in other}, list[TextUnit]()
        for unit in main:
            if unit.name not in gone_here | gone_there:
                pair = (unit, beside.get(unit.name, unit))
                ours, theirs = reversed(pair) if leads_there else pair
                merged.append(self._unit(before.get(unit.name, TextUnit(unit.name, b"")), ours, theirs))
        known = {unit.name for unit in main} | before.keys()
        if any(unit.name not in known for unit in other):  # with the empty lines that part them
            merged += [unit for unit in other if unit.name not in known or not unit.data.strip()]
        return merged

    def _decide(self, here: _Units, there: _Units) -> _Units:
        """Two changes of the same, of which one holds where a person has said which."""
        self.conflicts.append(Conflict(*(b"".join(unit.data for unit in side) for side in (here, there))))
        return there if self.prefer is Side.BACKUP else here


@dataclass(frozen=True)
class _PartChanges:
    """The changes of a part: its units in the base by their names, both sides, and what is gone from each or new there.

    Lines are named by their places.
    """

    before: Mapping[_Name, TextUnit]
    sides: tuple[_Units, _Units]
    gone: Sequence[set[_Name]]
    new: Sequence[set[_Name]]

    @classmethod
    def between(cls, base: _Units, here: _Units, there: _Units) -> "_PartChanges":
        """The changes from a base to both sides."""
        base, here, there = _named_by_place(base, here, there)
        before, names = {unit.name: unit for unit in base}, [{unit.name for unit in side} for side in (here, there)]
        new = tuple({*filter(_is_text, of_side)} - before.keys() for of_side in names)
        return cls(before, (here, there), tuple(before.keys() - of_side for of_side in names), new)

    @property
    def added_lines(self) -> tuple[set[_Name], set[_Name]]:
        """The lines that only this side, or only the other, has added."""
        here, there = self.new
        return here - there, there - here

    @property
    def is_contradiction(self) -> bool:
        """Whether both sides changed the same unit, or put other lines in place of lines that stood here."""
        # A changed line is one that is gone and one that is new; a changed block keeps its name.
        changed = [
            {unit.name for unit in side if unit.data != self.before.get(unit.name, unit).data} for side in self.sides
        ]
        replaced = [any(map(_is_text, gone)) and added for gone, added in zip(self.gone, self.added_lines, strict=True)]
        contradicts = self.gone[0] & changed[1] or self.gone[1] & changed[0] or all(replaced)
        return bool(contradicts) or self.is_unclear

    @property
    def is_unclear(self) -> bool:
        """Whether a line that a side took out may be an equal one that the other side has added or moved."""
        kept = tuple({unit.name for unit in side} for side in self.sides)
        out, come, stay = (
            [{_line_of(name) for name in names if _is_text(name)} for names in of_sides]
            for of_sides in (self.gone, self.new, kept)
        )
        return bool(out[0] & come[1] or out[1] & come[0] or out[0] & out[1] & stay[0] & stay[1])


def _named_by_place(base: _Units, here: _Units, there: _Units) -> tuple[_Units, _Units, _Units]:
    """The units, their lines named by their places: equal lines have one name only where they are the same line.

    New lines are the same if all those of one side are, in their order, among those of the other: both have added
    them, or they were merged before.
    """
    in_here, in_there = _matches(base, here), _matches(base, there)
    base, here, there = (
        _by_place(base, {at: at for at in range(len(base))}, b""),
        _by_place(here, {at: place for place, at in in_here.items()}, b"here"),
        _by_place(there, {at: place for place, at in in_there.items()}, b"there"),
    )
    had = {unit.name for unit in base}
    new = ([unit.name for unit in side if _is_text(unit.name) and unit.name not in had] for side in (here, there))
    ours, theirs = new
    same = _pairs(theirs, ours) or {name: other for other, name in _pairs(ours, theirs).items()}
    return base, here, [unit._replace(name=same.get(unit.name, unit.name)) for unit in there]


def _by_place(side: _Units, places: Mapping[int, int], mark: bytes) -> _Units:
    """The units of a side; the name of a line has its place in the base, or the side's `mark` and the place there."""
    return [
        unit._replace(name=("", b"%b\0%b" % (unit.name[1], b"%d" % places[at] if at in places else mark + b"%d" % at)))
        if _is_text(unit.name)
        else unit
        for at, unit in enumerate(side)
    ]


def _pairs(part: Sequence[_Name], whole: Sequence[_Name]) -> dict[_Name, _Name]:
    """The lines of a part, each with the equal line of the whole, in the order of both; empty if one is not there."""
    rest, pairs = iter(whole), dict[_Name, _Name]()
    for name in part:
        equal = next((other for other in rest if _line_of(other) == _line_of(name)), None)
        if equal is None:
            return {}
        pairs[name] = equal
    return pairs


def _line_of(name: _Name) -> bytes:
    """The line itself, without its place."""
    return name[1].partition(b"\0")[0]


def _is_text(name: _Name) -> bool:
    """Whether a unit of this name is a line of anybody, and not an empty one."""
    return not name[0] and not _is_empty(name)


def _is_empty(name: _Name) -> bool:
    return not name[0] and not name[1].strip()


def _matches(base: _Units, side: _Units) -> dict[int, int]:
    """The places of the base's units on a side, in the order of both. Empty lines alone match nothing."""
    return match_sequences([unit.name for unit in base], [unit.name for unit in side], _is_empty, _is_block)


def _is_block(name: _Name) -> bool:
    return bool(name[0])
