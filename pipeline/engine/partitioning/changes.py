"""Folds: jobs that render their pages again when their inputs have changed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from pipeline.engine.context import Engine
from pipeline.engine.partitioning.base import KeyedPartitioning, subjects
from pipeline.job import OnChange
from pipeline.ledger.coverage import Covered, KeyedRecord, State, Stretch, digest_of
from pipeline.settings.locate import SETTINGS_FILE
from pipeline.workspace.families import Slots
from schemas.window import PartitionKey, Window

ALL = "all"
"""The key of the only partition of a fold."""
_OF_READERS = {"may_read_said"}
"""The settings of an agent that change no page. Those of before count as ever: else all pages were due once more."""


@dataclass(frozen=True)
class InputChanges(KeyedPartitioning):
    """A partition for each subject, with all inputs. It runs after the jobs that it depends on."""

    of: tuple[str, ...]

    def present(self) -> list[PartitionKey]:
        """The partitions of all subjects that have inputs, or had some; their windows are empty."""
        now = self.engine.clock.now()
        whole = (
            PartitionKey(key=ALL, window=Window(start=now, end=now), subject=subject)
            for subject in subjects(self.engine, self.job)
        )
        return [
            partition
            for partition in whole
            if self.inputs(partition) or self.engine.ledger.keyed.find(self.job.name, partition)
        ]

    def is_due(self, partition: PartitionKey, *, again: bool) -> bool:
        """Whether its inputs have changed, also since it was undone."""
        known = self.engine.ledger.keyed.find(self.job.name, partition)
        undone = known is not None and known.state is not State.COVERED
        changed = known is None or known.stale or known.digest != digest_of(self.inputs(partition))
        return changed or (again and undone)

    def mark_undone(self, partition: PartitionKey, run_id: str) -> None:
        """Note it with its inputs as they are, so that it is due once they change."""
        self.engine.ledger.keyed.cover(self.job.name, partition, State.UNDONE, run_id, self.inputs(partition))

    def inputs(self, partition: PartitionKey) -> Mapping[str, Sequence[str]]:
        """The files that count as a change, each with a hash of what the job sees of it; and the agent's settings."""
        files = self.files(partition.subject).fingerprints(self.of)
        settings = self.engine.settings.agents.by_name.get(partition.subject)
        return files | {SETTINGS_FILE: [settings.model_dump_json(exclude=_OF_READERS)]} if files and settings else files

    def slots(self, partition: PartitionKey) -> Slots:
        """No day."""
        return Slots(agent=partition.subject)

    def take_over(self) -> None:
        """Cover a page that an earlier version rendered with its inputs of today, so that it waits for a change.

        That version may have rendered it by the clock, or without looking at entries. A page with an input that was
        written later, or whose other inputs have changed, is left as it is.
        """
        known = self.records()
        stretches = [] if known else self.engine.ledger.coverage.stretches(self.job.name)
        if stretches:
            for partition in self.present():
                self._cover_unchanged(partition, stretches[-1], self.inputs(partition))
        for record in known if self.job.reads.entries and not self.of else ():
            self._take_over_entries(record)

    def _take_over_entries(self, record: KeyedRecord) -> None:
        """Cover a page whose run saw no file of entries, unless anything else has changed since."""
        seen_then = set(self.engine.ledger.keyed.inputs(record))
        if record.stale or any(map(self._holds_entries, seen_then)):
            return
        inputs = self.inputs(record.partition)
        new = {path: ids for path, ids in inputs.items() if self._holds_entries(path)}
        before = {path: ids for path, ids in inputs.items() if path not in new}
        if new and digest_of(before) == record.digest:
            self._cover_unchanged(record.partition, record, inputs, watched=new)

    def _holds_entries(self, path: str) -> bool:
        return any(fnmatchcase(path, pattern) for pattern in self.job.reads.entries)

    def _cover_unchanged(
        self,
        partition: PartitionKey,
        last: Covered | Stretch,
        inputs: Mapping[str, Sequence[str]],
        watched: Iterable[str] | None = None,
    ) -> None:
        """Cover a partition with its inputs, unless a run after the last one wrote into them, or into the `watched`."""
        ledger = self.engine.ledger
        changes = (
            change for path in (inputs if watched is None else watched) for change in ledger.changes.of_path(path)
        )
        if not any(change.run_id > last.run_id for change in changes):
            with ledger.store.transaction():
                ledger.keyed.cover(self.job.name, partition, last.state, last.run_id, inputs)


def take_over_folds(engine: Engine) -> None:
    """Cover the pages of all folds that had a clock in an earlier version."""
    for job in engine.jobs:
        if isinstance(job.schedule, OnChange):
            InputChanges(engine, job, job.schedule.of).take_over()
