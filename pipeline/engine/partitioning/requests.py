"""Jobs that run on request."""

from dataclasses import dataclass
from datetime import timedelta

from pipeline.engine.context import Engine
from pipeline.engine.partitioning.base import KeyedPartitioning
from pipeline.job import Job
from pipeline.ledger.requests import Request
from schemas.partition import PartitionKey
from schemas.window import Window

_INSTANT = timedelta(microseconds=1)


@dataclass(frozen=True)
class Requested(KeyedPartitioning):
    """The kept requests: the key of a partition is the id of a request, its window the moment that it is about."""

    def present(self) -> list[PartitionKey]:
        """Every request to the job."""
        return [partition_of(request) for request in self.engine.ledger.requests.of_job(self.job.name)]

    def inputs(self, partition: PartitionKey) -> dict[str, list[str]]:
        """The request, which never changes."""
        return {partition.key: []}

    def within(self, days: Window) -> list[PartitionKey]:
        """The requests of these days that have to be carried out."""
        return [partition for partition in super().within(days) if partition.window.start in days]

    def request(self, partition: PartitionKey) -> str:
        """The body of the request."""
        kept = self.engine.ledger.requests.find(partition.key)
        return kept.body if kept else ""


def partition_of(request: Request) -> PartitionKey:
    """The partition that carries out a request."""
    moment = request.about or request.asked
    window = Window(start=moment, end=moment + _INSTANT)
    return PartitionKey(key=request.id, window=window, subject=request.subject)


def ask(engine: Engine, job: Job, request_id: str, body: str, subject: str = "") -> PartitionKey:
    """Keep a request, which survives a crash; its partition.

    A second request with the same id changes nothing.
    """
    asked = engine.ledger.requests.find(request_id)
    request = asked or Request(request_id, job.name, subject, body, engine.clock.now())
    with engine.ledger.store.transaction():
        engine.ledger.requests.keep(request)
    return partition_of(request)
