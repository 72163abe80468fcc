"""Keyed partitions, which are no stretches of time: those that were dealt with, and their inputs."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pipeline.ledger.coverage import Covered, State, fingerprint, pack, unpack
from pipeline.ledger.store import LedgerTable, window_in
from schemas.partition import PartitionKey


@dataclass(frozen=True)
class KeyedRecord(Covered):
    """A partition with the digest of its inputs as they were; a stale one has inputs that its run did not see.

    The mark is set by the reader of new inputs; the digest is compared by the reader of the partition.
    """

    number: int
    digest: str


class Keyed(LedgerTable):
    """The tables of keyed partitions and of their inputs."""

    def of_job(self, job: str) -> list[KeyedRecord]:
        """The records of a job, by time."""
        return self._select("job = ?", (job,))

    def find(self, job: str, partition: PartitionKey) -> KeyedRecord | None:
        """The record of one partition."""
        records = self._select("job = ? AND subject = ? AND key = ?", (job, partition.subject, partition.key))
        return next(iter(records), None)

    def with_input(self, job: str, name: str) -> list[KeyedRecord]:
        """The records of a job with an input: a session by its id, or a file by its path."""
        return self._select("job = ? AND id IN (SELECT keyed FROM inputs WHERE name = ?)", (job, name))

    def inputs(self, record: KeyedRecord) -> list[str]:
        """The names of the inputs of a partition."""
        return self._store.column("SELECT name FROM inputs WHERE keyed = ?", (record.number,))

    def inputs_of(self, job: str, subject: str) -> set[str]:
        """The names of the inputs of all partitions of a subject."""
        query = "SELECT name FROM inputs WHERE keyed IN (SELECT id FROM keyed WHERE job = ? AND subject = ?)"
        return set(self._store.column(query, (job, subject)))

    def done(self, job: str, subject: str) -> set[str]:
        """The keys of the covered partitions of a subject."""
        query = "SELECT key FROM keyed WHERE job = ? AND subject = ? AND state = ?"
        return set(self._store.column(query, (job, subject, State.COVERED)))

    def cover(
        self, job: str, partition: PartitionKey, state: State, run_id: str, inputs: Mapping[str, Collection[str]]
    ) -> None:
        """Note a partition in place of its old record; `inputs` are the ids seen of each session or file."""
        if old := self.find(job, partition):
            self._store.write("DELETE FROM inputs WHERE keyed = ?", (old.number,))
            self._store.write("DELETE FROM keyed WHERE id = ?", (old.number,))
        subject, key, window = partition.subject, partition.key, partition.window
        number = self._store.write(
            "INSERT INTO keyed (job, subject, key, start, end, digest, state, run) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (job, subject, key, window.start, window.end, digest_of(inputs), state, run_id),
        )
        for name, ids in inputs.items():
            self._store.write("INSERT INTO inputs VALUES (?, ?, ?)", (number, name, pack(ids)))

    def mark_stale(self, record: KeyedRecord) -> None:
        """Note that a partition has to be run again."""
        self._store.write("UPDATE keyed SET stale = 1 WHERE id = ?", (record.number,))

    def unseen(self, record: KeyedRecord, name: str, ids: Collection[str]) -> bool:
        """Whether any of the ids of an input was not there when the partition was run."""
        query = "SELECT ids FROM inputs WHERE keyed = ? AND name = ?"
        return not unpack(self._store.value(query, (record.number, name))).issuperset(map(fingerprint, ids))

    def _select(self, where: str, values: tuple[str, ...]) -> list[KeyedRecord]:
        rows = self._store.rows(f"SELECT * FROM keyed WHERE {where} ORDER BY start, key", values)  # noqa: S608 - fixed texts
        return [
            KeyedRecord(
                number=row["id"],
                partition=PartitionKey(key=row["key"], window=window_in(row), subject=row["subject"]),
                digest=row["digest"],
                state=State(row["state"]),
                run_id=row["run"],
                stale=bool(row["stale"]),
            )
            for row in rows
        ]


def digest_of(inputs: Mapping[str, Collection[str]]) -> str:
    """16 hex digits of all names with their ids, whatever the order."""
    texts = (f"{name}\0{input_id}" for name in sorted(inputs) for input_id in sorted(inputs[name]))
    return f"{fingerprint(chr(10).join(texts)):016x}"
