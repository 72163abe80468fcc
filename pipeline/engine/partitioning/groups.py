"""Jobs that run once for each so many pages of another job.

A group keeps its members, as long as its own page or the ledger names them: neither a page that comes late nor another
size in the settings moves one, and a member that is gone leaves a hole.
"""

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from pipeline.agents.gate import READ_ONLY
from pipeline.engine.partitioning.base import KeyedPartitioning, subjects
from pipeline.ledger.coverage import KeyedRecord, State
from pipeline.markdown.front_matter import front_fields
from pipeline.workspace.families import Slots
from pipeline.workspace.layout import TEXTS
from schemas.window import PartitionKey, Window


@dataclass(frozen=True)
class PageGroups(KeyedPartitioning):
    """The groups that are known, then those that the other pages of the job `of` make complete; keys count from 1.

    `field` is the field of a page's front matter that names the pages of its group.
    """

    of: KeyedPartitioning
    size: int
    field: str

    def present(self) -> list[PartitionKey]:
        """Every known group, and every complete new one, with an empty window."""
        known = [record.partition for record in self.records()]
        return [*known, *(self._key(number, who) for who in self._writing() for number in self._new(who))]

    def has_changed(self, partition: PartitionKey, known: KeyedRecord) -> bool:
        """Whether a member has other text now. One that is gone changes nothing."""
        prints = self.inputs(partition)
        return any(hashes and self.engine.ledger.keyed.unseen(known, path, hashes) for path, hashes in prints.items())

    def inputs(self, partition: PartitionKey) -> Mapping[str, Sequence[str]]:
        """The members, each with a hash of its text; without one where it is gone."""
        texts = {path: self.engine.workspace.read(path) for path in self._members(partition)}
        return {path: [hashlib.sha256(text).hexdigest()] if text else [] for path, text in texts.items()}

    def mark_undone(self, partition: PartitionKey, run_id: str) -> None:
        """Note it with its members, which stay its own."""
        self.engine.ledger.keyed.cover(self.job.name, partition, State.UNDONE, run_id, self.inputs(partition))

    def file_filter(self, partition: PartitionKey) -> Callable[[str], bool]:
        """The filter that lets the members through, of the pages of the other job."""
        members, theirs = set(self._members(partition)), self.engine.family(self.of.job)
        return lambda path: path in members or not theirs.owns(path)

    def slots(self, partition: PartitionKey) -> Slots:
        """The agent and the number of the group."""
        return Slots(agent=partition.subject, number=int(partition.key))

    def ordinal(self, partition: PartitionKey) -> int:
        """The number of the group."""
        return int(partition.key)

    def find_by_pages(self, paths: Collection[str]) -> list[PartitionKey]:
        """The groups of pages that name their members."""
        slots = ((path, self.engine.family(self.job).slots_of(path)) for path in sorted(paths))
        return [
            self._key(place.number, place.agent) for path, place in slots if place and self._members_named(path, place)
        ]

    def _key(self, number: int, subject: str) -> PartitionKey:
        now = self.engine.clock.now()
        return PartitionKey(key=str(number), window=Window(start=now, end=now), subject=subject)

    def _writing(self) -> list[str]:
        """The subjects whose memory grows; an agent that only reads has nothing made of its sessions."""
        named = self.engine.settings.agents.by_name
        return [who for who in subjects(self.engine, self.job) if who not in named or named[who].autonomy != READ_ONLY]

    def _members(self, partition: PartitionKey) -> list[str]:
        """The pages of a group: as they were noted, as its page names them, or the next ones that are in no group."""
        if known := self.engine.ledger.keyed.find(self.job.name, partition):
            return sorted(self.engine.ledger.keyed.inputs(known))
        place = self.slots(partition)
        if stated := self._members_named(self.engine.family(self.job).path(place), place):
            return stated
        return self._new(partition.subject).get(place.number, [])

    def _members_named(self, path: str, place: Slots) -> list[str]:
        """The members that a page names."""
        names = front_fields(self.engine.workspace.read(path) or b"").get(self.field)
        theirs, workspace = self.engine.family(self.of.job), self.engine.workspace
        folder = PurePosixPath(theirs.path(Slots(agent=place.agent))).parent
        paths = [f"{folder}/{name}{TEXTS[0]}" for name in names] if isinstance(names, list) else []
        return [path for path in paths if theirs.owns(path) and workspace.locate(path).is_file()]

    def _new(self, subject: str) -> dict[int, list[str]]:
        """The complete groups of pages that are in none yet, by number, the lowest ordinals first."""
        keyed, family = self.engine.ledger.keyed, self.engine.family(self.job)
        free = self.of.pages(subject, keyed.inputs_of(self.job.name, subject))
        groups = [free[first : first + self.size] for first in range(0, len(free) - self.size + 1, self.size)]
        if not groups:
            return {}
        numbers = {int(record.partition.key) for record in self.records() if record.partition.subject == subject}
        places = ((path, family.slots_of(path)) for path in family.paths())
        mine = [(path, place) for path, place in places if place and place.agent == subject]
        new = ((path, place) for path, place in mine if place.number not in numbers)
        numbers |= {place.number for path, place in new if not self._members_named(path, place)}
        return dict(enumerate(groups, max(numbers, default=0) + 1))
