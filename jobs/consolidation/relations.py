"""The relations of entries: entries of one meaning, and entries that contradict each other."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from jobs.consolidation.inputs import Material
from jobs.consolidation.verdicts import Ruling
from jobs.resolution.linking import relations
from jobs.resolution.relation import Relation
from schemas.entry import Status


@dataclass(frozen=True)
class Tie:
    """The relation of the later of two entries to the earlier; `why` is a model's reason, empty without one."""

    later: str
    earlier: str
    kind: Relation
    why: str = ""


@dataclass(frozen=True)
class Loss:
    """The reason for which an entry does not hold any more: `by` holds instead, or a person marked it."""

    by: str
    reason: str


class Groups:
    """Groups of entries of one meaning."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._root: dict[str, str] = {}
        for one, other in pairs:
            self._root[self.of(other)] = self.of(one)
        self._members: dict[str, list[str]] = defaultdict(list)
        for entry_id in self._root:
            self._members[self.of(entry_id)].append(entry_id)

    def of(self, entry_id: str) -> str:
        """The id that stands for the group of an entry."""
        way = [entry_id]
        while (above := self._root.setdefault(way[-1], way[-1])) != way[-1]:
            way.append(above)
        self._root.update(dict.fromkeys(way, way[-1]))
        return way[-1]

    def members(self, entry_id: str) -> list[str]:
        """All entries of a group, in no particular order."""
        return self._members[self.of(entry_id)] or [entry_id]


class WeekStanding:
    """The entries that hold at the end of the week, and their groups."""

    def __init__(self, material: Material, opinions: Sequence[Tie] | None) -> None:
        """`opinions` are ties from a model, else code judges; two that disagree about a pair do not count."""
        self._material = material
        self._holding: dict[str, list[str]] = {}
        self.lost: dict[str, Loss] = dict(_find_losses(material))
        judged = _computed_ties(material, frozenset(self.lost)) if opinions is None else _agreed_ties(opinions)
        # What replaces a part leaves the rest in force: both stand.
        whole, entries = (tie for tie in judged if tie.kind is not Relation.REPLACES_PART), material.entries
        ties = [tie for tie in whole if not material.bars.hold(entries[tie.later], entries[tie.earlier])]
        self.why = {frozenset({tie.later, tie.earlier}): tie.why for tie in ties if tie.why}
        self.groups = Groups([*_find_repetitions(material), *((t.earlier, t.later) for t in ties if _repeats(t))])
        for entry_id, loss in list(self.lost.items()):
            self._spread(entry_id, loss)
        contrary = [tie for tie in ties if not _repeats(tie)]
        for tie in sorted(contrary, key=lambda tie: (self._time_of(tie.later), tie.later, self._time_of(tie.earlier))):
            self._decide(tie)

    def together(self, entry_id: str) -> list[str]:
        """The entries of a group that hold, in the order of their messages."""
        group = self.groups.of(entry_id)
        if group not in self._holding:
            holding = [member for member in self.groups.members(entry_id) if self.holds(member)]
            self._holding[group] = sorted(holding, key=lambda member: (self._time_of(member), member))
        return self._holding[group]

    def holds(self, entry_id: str) -> bool:
        """Whether the entry verifies, is active, and was not replaced."""
        return entry_id not in self.lost and self._material.is_active(entry_id)

    def _time_of(self, entry_id: str) -> datetime:
        return self._material.noted[entry_id].entry.date

    def _decide(self, tie: Tie) -> None:
        """Decide which of two contradictory entries holds."""
        if not (self.holds(tie.later) and self.holds(tie.earlier)) or self._same(tie.later, tie.earlier):
            return
        day = self._day(tie.later)
        winner, loser, how = tie.later, tie.earlier, f"and was said later, on {day}"
        written = self._material.as_written(tie.later), self._material.as_written(tie.earlier)
        if written == (True, False):
            how = "and is as it was written"
        elif written == (False, True):
            winner, loser, how = tie.earlier, tie.later, "and is as it was written"
        elif (last := self._day(tie.earlier)) > day:
            winner, loser, how = tie.earlier, tie.later, f"and was said again later, on {last}"
        loss = Loss(winner, f"that contradicts it {how}{quote_reason(tie.why)}")
        self._lose(loser, loss)
        self._spread(loser, loss)

    def _lose(self, entry_id: str, loss: Loss) -> None:
        self.lost[entry_id] = loss
        self._holding.pop(self.groups.of(entry_id), None)

    def _spread(self, entry_id: str, loss: Loss) -> None:
        """Let the group of a replaced entry fall with it, except later entries.

        A changed entry takes no unchanged one with it: its old text is not known.
        """
        if loss.by not in self._material.noted or self._same(loss.by, entry_id):
            return
        sure, end = self._material.as_written(entry_id), self._time_of(loss.by)
        reason = f"it says the same as {self._material.reference(entry_id)}, whose place that took"
        for other in tuple(self.together(entry_id)):
            if self._time_of(other) < end and (sure or not self._material.as_written(other)):
                self._lose(other, Loss(loss.by, reason))

    def _same(self, one: str, other: str) -> bool:
        return self.groups.of(one) == self.groups.of(other)

    def _day(self, entry_id: str) -> date:
        """The last day on which it was said."""
        return self._time_of(self.together(entry_id)[-1]).date()


def quote_reason(why: str) -> str:
    """A model's reason, marked as such."""
    return f" ({why})" if why else ""


def _find_losses(material: Material) -> Iterator[tuple[str, Loss]]:
    """The losses by links of entries, and by earlier plans."""
    for entry_id, state in material.fold.states.items():
        last = material.last.get(entry_id)
        if entry_id in material.fold.corrected:
            continue  # the plans know the correction alone
        if state.status is Status.SUPERSEDED:
            by = material.fold.in_force(state.superseded_by[-1]) if state.superseded_by else ""
            day = f"{material.noted[by].entry.date:%Y-%m-%d}" if by else ""
            yield entry_id, Loss(by, f"that took its place on {day}" if by else "a person marked it superseded")
        elif last and last.ruling is Ruling.OVERRIDDEN and material.stands_for(last.into, entry_id):
            yield entry_id, Loss(last.into, last.reason)


def _computed_ties(material: Material, lost: frozenset[str]) -> Iterator[Tie]:
    """The ties that code finds, of new entries with each other and with entries that hold."""
    holding = [entry_id for entry_id in material.noted if material.is_active(entry_id) and entry_id not in lost]
    fresh = frozenset(material.fresh)
    new = [material.entries[entry_id] for entry_id in holding if entry_id in fresh]
    old = [material.entries[entry_id] for entry_id in holding if entry_id not in fresh]
    for later, earlier, kind in relations(new, old) if new else ():
        yield Tie(later.id, earlier.id, kind)


def _find_repetitions(material: Material) -> Iterator[tuple[str, str]]:
    """Pairs of one meaning, by links of entries or by an earlier plan; the earlier first."""
    for entry_id, state in material.fold.states.items():
        if material.is_verified(entry_id):
            yield from ((entry_id, other) for other in state.reinforced_by if material.is_verified(other))
    for entry_id, last in material.last.items():
        if last.ruling is Ruling.MERGED and material.is_verified(entry_id) and material.stands_for(last.into, entry_id):
            yield last.into, entry_id


def _agreed_ties(opinions: Sequence[Tie]) -> list[Tie]:
    kinds: dict[frozenset[str], set[Relation]] = defaultdict(set)
    for tie in opinions:
        kinds[frozenset({tie.later, tie.earlier})].add(tie.kind)
    return [tie for tie in opinions if len(kinds[frozenset({tie.later, tie.earlier})]) == 1]


def _repeats(tie: Tie) -> bool:
    return tie.kind is Relation.REPEATS
