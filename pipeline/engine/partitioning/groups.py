"""Jobs that run once for each group of so many files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipeline.engine.partitioning.base import KeyedPartitioning, subjects
from pipeline.job import Document
from pipeline.workspace.families import Slots
from schemas.partition import PartitionKey
from schemas.window import Window


@dataclass(frozen=True)
class FileGroups(KeyedPartitioning):
    """The complete groups of the files in the order of their names; keys count from 1."""

    size: int

    def present(self) -> list[PartitionKey]:
        """Every complete group, with an empty window."""
        now = self.engine.clock.now()
        return [
            PartitionKey(key=str(number), window=Window(start=now, end=now), subject=subject)
            for subject in subjects(self.engine, self.job)
            for number in range(1, len(self._documents(subject)) // self.size + 1)
        ]

    def inputs(self, partition: PartitionKey) -> Mapping[str, Sequence[str]]:
        """The files of the group, each with a hash of its contents."""
        paths = {document.path for document in self.group(partition)}
        prints = self.files(partition.subject).fingerprints(self.job.reads.documents)
        return {path: hashes for path, hashes in prints.items() if path in paths}

    def sees(self, partition: PartitionKey, path: str) -> bool:
        """Whether the document is in the group."""
        return any(document.path == path for document in self.group(partition))

    def slots(self, partition: PartitionKey) -> Slots:
        """The agent and the number of the group."""
        return Slots(agent=partition.subject, number=int(partition.key))

    def group(self, partition: PartitionKey) -> Sequence[Document]:
        """The files of a group."""
        first = (int(partition.key) - 1) * self.size
        return self._documents(partition.subject)[first : first + self.size]

    def _documents(self, subject: str) -> list[Document]:
        documents = self.files(subject).documents(self.job.reads.documents)
        by_path = {document.path: document for document in documents}
        return [by_path[path] for path in sorted(by_path)]
