"""Jobs that run when somebody asks."""

from dataclasses import dataclass
from datetime import timedelta

from pipeline.engine.cadences.base import KeyedCadence
from pipeline.engine.context import Engine
from pipeline.job import Job
from pipeline.ledger.requests import Request
from schemas.partition import PartitionKey
from schemas.window import Window

_INSTANT = timedelta(microseconds=1)


@dataclass(frozen=True)
class Requested(KeyedCadence):
    """The requests that were kept; the key is the id of one, and its window the moment at which it was made."""

    def present(self) -> list[PartitionKey]:
        """Every request to the job."""
        return [partition_of(request) for request in self._requests()]

    def inputs(self, partition: PartitionKey) -> dict[str, list[str]]:
        """The request itself, which never changes."""
        return {partition.key: [self.request(partition)]}

    def within(self, days: Window) -> list[PartitionKey]:
        """The requests of these days that have to be carried out."""
        return [partition for partition in super().within(days) if partition.window.start in days]

    def request(self, partition: PartitionKey) -> str:
        """The body of the request."""
        return next((request.body for request in self._requests() if request.id == partition.key), "")

    def _requests(self) -> list[Request]:
        return self.engine.ledger.requests.of_job(self.job.name)


def partition_of(request: Request) -> PartitionKey:
    """What the run of a request is about."""
    window = Window(start=request.asked, end=request.asked + _INSTANT)
    return PartitionKey(key=request.id, window=window, subject=request.subject)


def ask(engine: Engine, job: Job, request_id: str, body: str, subject: str = "") -> PartitionKey:
    """Keep a request, so that it is carried out whatever happens next; what to run for it.

    The same id once more asks for nothing new.
    """
    asked = next((request for request in engine.ledger.requests.of_job(job.name) if request.id == request_id), None)
    request = asked or Request(request_id, job.name, subject, body, engine.clock.now())
    with engine.ledger.store.transaction():
        engine.ledger.requests.keep(request)
    return partition_of(request)
