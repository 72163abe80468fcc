"""The partitions of jobs by their cadence, each kind in a module: time, episodes, groups, requests, changes of inputs.

All kinds have the methods of `Partitioning`, so no other module needs the kind of a job.
"""

from pipeline.engine.context import Engine
from pipeline.engine.partitioning.base import KeyedPartitioning, Partitioning, Requested
from pipeline.engine.partitioning.changes import InputChanges
from pipeline.engine.partitioning.clocked import Clocked
from pipeline.engine.partitioning.episodes import Episodes, LaterEpisodes
from pipeline.engine.partitioning.groups import PageGroups
from pipeline.job import AfterEpisode, EveryNth, Job, OnChange, OnRequest, PerEpisode, Schedule
from schemas.window import PartitionKey

__all__ = ["Partitioning", "partitioning_for", "partitioning_of", "partitionings_of"]


def partitioning_of(engine: Engine, job: Job) -> Partitioning:
    """The partitioning of a job, by its cadence; requests to a job with a schedule have their own."""
    match job.schedule:
        case Schedule():
            return Clocked(engine, job)
        case PerEpisode(idle):
            return Episodes(engine, job, engine.settings.agents.idle if job.per_agent else idle)
        case AfterEpisode(of):
            return LaterEpisodes(engine, job, of)
        case EveryNth(of, size, field):
            members = engine.settings.agents.l1_after if job.per_agent else size
            followed = partitioning_of(engine, next(job for job in engine.jobs if job.name == of))
            if not isinstance(followed, KeyedPartitioning):
                message = f"the pages of {of} have no ordinals"
                raise TypeError(message)
            return PageGroups(engine, job, followed, members, field)
        case OnRequest():
            return Requested(engine, job)
        case OnChange(of):
            return InputChanges(engine, job, of)


def partitionings_of(engine: Engine, job: Job) -> list[Partitioning]:
    """All partitionings of a job: that of requests first, because somebody waits for them."""
    return [*([Requested(engine, job)] if job.on_request else []), partitioning_of(engine, job)]


def partitioning_for(engine: Engine, job: Job, partition: PartitionKey) -> Partitioning:
    """The partitioning of a job that a partition is of."""
    is_request = job.on_request and engine.ledger.requests.find(partition.key)
    return Requested(engine, job) if is_request else partitioning_of(engine, job)
