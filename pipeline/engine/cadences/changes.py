"""Folds: jobs that render their pages again when what they are made of has changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipeline.engine.cadences.base import KeyedCadence, subjects
from pipeline.workspace.families import Slots
from schemas.partition import PartitionKey
from schemas.window import Window

ALL = "all"
"""The key of the only partition of a fold."""


@dataclass(frozen=True)
class InputChanges(KeyedCadence):
    """One partition for each subject, which sees everything. It runs after all that it depends on."""

    of: tuple[str, ...]

    def present(self) -> list[PartitionKey]:
        """The whole, about no time in particular; nothing before there is anything to render."""
        now = self.engine.clock.now()
        whole = (
            PartitionKey(key=ALL, window=Window(start=now, end=now), subject=subject) for subject in self._subjects()
        )
        return [each for each in whole if self.inputs(each) or self.engine.ledger.keyed.find(self.job.name, each)]

    def within(self, days: Window) -> list[PartitionKey]:
        """The whole, whatever the days."""
        del days
        return [each for each in self.present() if self.is_due(each, again=True)]

    def inputs(self, partition: PartitionKey) -> Mapping[str, Sequence[str]]:
        """The files that count as a change, each with a hash of what the job sees of it."""
        return self.files(partition.subject).fingerprints(self.of)

    def slots(self, partition: PartitionKey) -> Slots:
        """No day."""
        return Slots(agent=partition.subject)

    def _subjects(self) -> list[str]:
        return subjects(self.engine, self.job)
