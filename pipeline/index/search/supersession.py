"""Valid entries before superseded ones: those give way, and archived ones are shown on request only."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pipeline.index.search.deduplication import Finding, saying
from pipeline.index.search.entry_lookup import Entries
from pipeline.index.search.query import AnalysedQuery
from pipeline.index.search.request import Scope
from pipeline.index.search.scoring import FADED, best
from schemas.entry import Status

_Order = tuple[float, tuple[float, int, int, str, int, str]]


@dataclass(frozen=True)
class Succession:
    """Puts the successors of superseded entries in their place."""

    query: AnalysedQuery
    scope: Scope
    entries: Entries

    def settled(self, findings: Sequence[Finding]) -> list[Finding]:
        """The findings that are to be shown, in their new order, entries led by their own block where it is in scope.

        A successor takes the better of the two places. The one before it follows it when that is what was asked for,
        and keeps its place when it is of the time that the question names and the successor is not.
        """
        self.entries.fetch(finding.entry_id for finding in findings)
        shown: dict[str, Finding] = {}
        older: dict[str, list[Finding]] = {}
        for finding in findings:
            placed = self._placed(finding)
            if placed is None:
                continue
            name = placed.entry_id or finding.lead.id
            if placed.entry_id != finding.entry_id:
                older.setdefault(name, []).append(finding)
            known = shown.get(name)
            if known is None:
                shown[name] = placed
            elif known.score < placed.score:
                shown[name] = replace(known, score=placed.score)
        return list(self._in_order(shown, older))

    def _in_order(self, shown: dict[str, Finding], older: dict[str, list[Finding]]) -> Iterator[Finding]:
        for name, finding in sorted(shown.items(), key=lambda item: _order(item[1])):
            before = older.get(name, [])
            if self.query.after_old or not before:
                yield self._led(finding)
                yield from (self._led(replace(old, score=min(old.score, finding.score))) for old in before)
            else:
                yield replace(self._led(finding), replaced=tuple(old.entry_id for old in before))

    def _placed(self, finding: Finding) -> Finding | None:
        """The finding to show in its place; `None` for none."""
        entry_id, scope = finding.entry_id, self.scope
        if not entry_id:
            return finding if scope.shows(Status.ACTIVE) else None
        if self.entries.versions(entry_id) and not self.entries.known(entry_id):
            return None
        status = self.entries.standing(entry_id).status
        if status == Status.SUPERSEDED and Status.SUPERSEDED not in scope.wanted.statuses:
            successor = self._successor(entry_id)
            if successor and self._held_then(entry_id, successor.entry_id):
                return finding
            if successor:
                return replace(successor, score=finding.score)
        if not scope.shows(status):
            return None
        return (
            finding if status == Status.ACTIVE else replace(finding, score=finding.score - FADED * abs(finding.score))
        )

    def _held_then(self, entry_id: str, successor: str) -> bool:
        """Whether the question names the time of an entry, and not that of what took its place."""
        return self._of_its_time(entry_id) and not self._of_its_time(successor)

    def _of_its_time(self, entry_id: str) -> bool:
        return any(self.query.of_its_time(version.day) for version in self.entries.versions(entry_id))

    def _successor(self, entry_id: str) -> Finding | None:
        """The successor of an entry, when it is in scope too."""
        successor = self.entries.successor(entry_id)
        if not successor or not self.scope.shows(self.entries.standing(successor).status):
            return None
        inside = [passage for passage in saying(self.entries, successor) if self.scope.has(passage.payload)]
        return Finding(best(inside), 0.0, (best(inside),), entry_id=successor) if inside else None

    def _led(self, finding: Finding) -> Finding:
        """An entry's finding with its own block in front, and all places with the same content."""
        entry_id = finding.entry_id
        if not entry_id:
            return finding
        inside = [passage for passage in self.entries.versions(entry_id) if self.scope.has(passage.payload)]
        lead = replace(inside[0], score=finding.score) if inside else finding.lead
        said = saying(self.entries, entry_id, {entry_id: entry_id})
        # A block that does not verify is no evidence about an entry that does, whatever its id.
        sure = [passage for passage in (finding.lead, *finding.elsewhere, *said) if passage.verified >= lead.verified]
        others = {passage.id: passage for passage in sure if passage.id != lead.id}
        return replace(
            finding,
            lead=lead,
            parts=(lead,),
            elsewhere=tuple(passage for passage in others.values() if self.entries.then(passage)),
            standing=self.entries.standing(entry_id),
        )


def _order(finding: Finding) -> _Order:
    return -finding.score, finding.lead.order
