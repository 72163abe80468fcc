"""The order of valid and superseded entries: valid ones come first, and archived ones are shown on request only."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, nextafter

from pipeline.index.schema import AGENT, REPLACED
from pipeline.index.search.deduplication import Finding, saying, says_entry, says_line
from pipeline.index.search.entry_lookup import Entries, EntryStanding
from pipeline.index.search.query import AnalysedQuery
from pipeline.index.search.request import Scope
from pipeline.index.search.scoring import FADED, best
from schemas.entry import Status

_REPLACED = EntryStanding(Status.SUPERSEDED.value)


@dataclass(frozen=True)
class Succession:
    """The replacement of superseded entries by their successors."""

    query: AnalysedQuery
    scope: Scope
    entries: Entries

    def settle(self, findings: Sequence[Finding]) -> list[Finding]:
        """The findings to show, in their new order; an entry's own block leads its finding where it is in scope.

        A successor takes the better of the two places. The one before it follows it when that is what was asked for,
        and keeps its place when it is of the time that the question names and the successor is not.
        """
        self.entries.fetch(finding.entry_id for finding in findings)
        findings = list(self._read_standings(findings))
        shown: dict[str, Finding] = {}
        older: dict[str, list[Finding]] = {}
        for finding in findings:
            placed = self._place(finding)
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
        return list(self._put_in_order(self._lower_replaced(shown), older))

    def _read_standings(self, findings: Sequence[Finding]) -> Iterator[Finding]:
        """The findings, with the standing of the superseded entry that a line of our pages still says, or its own."""
        ids = dict.fromkeys(finding.entry_id for finding in findings if finding.entry_id)
        ended = {
            name: self.entries.versions(name) for name in ids if self.entries.standing(name).status == Status.SUPERSEDED
        }
        gone = self.entries.replaced_lines(str(finding.lead.payload.get(AGENT) or "") for finding in findings)
        for finding in findings:
            if finding.lead.payload.get(REPLACED) or any(says_line(finding.lead.payload, line) for line in gone):
                yield replace(finding, standing=_REPLACED)
                continue
            said = (
                name
                for name, versions in ended.items()
                if versions and not finding.entry_id and says_entry(finding.lead.payload, versions[0].payload)
            )
            old = next(said, "")
            yield replace(finding, standing=self.entries.standing(old), says=old) if old else finding

    def _lower_replaced(self, shown: Mapping[str, Finding]) -> dict[str, Finding]:
        """The findings, each that says a superseded entry behind what took its place."""
        placed = dict(shown)
        for name, finding in shown.items():
            successor = shown.get(self.entries.successor(finding.says)) if finding.says else None
            if successor and not self._holds_in_its_time(finding.says, successor.entry_id):
                placed[name] = replace(finding, score=min(finding.score, nextafter(successor.score, -inf)))
        return placed

    def _put_in_order(self, shown: dict[str, Finding], older: dict[str, list[Finding]]) -> Iterator[Finding]:
        for name, finding in sorted(shown.items(), key=lambda item: (-item[1].score, item[1].lead.order)):
            before = older.get(name, [])
            if self.query.after_old or not before:
                yield self._lead_with_entry(finding)
                yield from (self._lead_with_entry(replace(old, score=min(old.score, finding.score))) for old in before)
            else:
                yield replace(self._lead_with_entry(finding), replaced=tuple(map(self._lead_with_entry, before)))

    def _place(self, finding: Finding) -> Finding | None:
        """The finding to show in its place; `None` for none."""
        entry_id, scope = finding.entry_id, self.scope
        if not entry_id:
            shown = scope.shows(finding.standing.status) or (finding.says and scope.shows(Status.ACTIVE))
            return self._fade(finding) if shown else None
        if self.entries.versions(entry_id) and not self.entries.is_known(entry_id):
            return None
        status = self.entries.standing(entry_id).status
        if status == Status.SUPERSEDED and Status.SUPERSEDED not in scope.wanted.status:
            successor = self._find_successor(entry_id)
            if successor and self._holds_in_its_time(entry_id, successor.entry_id):
                return finding
            if successor:
                return replace(successor, score=finding.score)
        return self._fade(replace(finding, standing=self.entries.standing(entry_id))) if scope.shows(status) else None

    @staticmethod
    def _fade(finding: Finding) -> Finding:
        """The finding with a lower score when what it says does not hold."""
        if finding.standing.status == Status.ACTIVE:
            return finding
        return replace(finding, score=finding.score - FADED * abs(finding.score))

    def _holds_in_its_time(self, entry_id: str, successor: str) -> bool:
        """Whether the question names the time of an entry, and not that of what took its place."""
        return self._is_of_its_time(entry_id) and not self._is_of_its_time(successor)

    def _is_of_its_time(self, entry_id: str) -> bool:
        return any(self.query.of_its_time(version.day) for version in self.entries.versions(entry_id))

    def _find_successor(self, entry_id: str) -> Finding | None:
        """The successor of an entry, when it is in scope too."""
        successor = self.entries.successor(entry_id)
        if not successor or not self.scope.shows(self.entries.standing(successor).status):
            return None
        inside = [passage for passage in saying(self.entries, successor) if self.scope.has(passage.payload)]
        return Finding(best(inside), 0.0, (best(inside),), entry_id=successor) if inside else None

    def _lead_with_entry(self, finding: Finding) -> Finding:
        """An entry's finding with its own block in front, and all places with the same content."""
        entry_id = finding.entry_id
        if not entry_id:
            return finding
        inside = [passage for passage in self.entries.versions(entry_id) if self.scope.has(passage.payload)]
        lead = replace(inside[0], score=finding.score) if inside else finding.lead
        said = saying(self.entries, entry_id, {entry_id: entry_id})
        # A block that does not verify is no evidence about an entry that does, whatever its id.
        sure = [
            passage for passage in (finding.lead, *finding.elsewhere, *said) if passage.is_verified >= lead.is_verified
        ]
        others = {passage.id: passage for passage in sure if passage.id != lead.id}
        return replace(
            finding,
            lead=lead,
            parts=(lead,),
            elsewhere=tuple(passage for passage in others.values() if self.entries.has_existed(passage)),
            standing=self.entries.standing(entry_id),
        )
