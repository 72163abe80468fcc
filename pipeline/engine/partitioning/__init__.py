"""The partitions of jobs by their cadence, each kind in a module: time, episodes, groups, requests, changes of inputs.

All kinds have the methods of `Partitioning`, so no other module needs the kind of a job.
"""

from pipeline.engine.context import Engine
from pipeline.engine.partitioning.base import KeyedPartitioning, Partitioning, Requested, WithRequests
from pipeline.engine.partitioning.changes import InputChanges
from pipeline.engine.partitioning.clocked import Clocked
from pipeline.engine.partitioning.episodes import Episodes, LaterEpisodes
from pipeline.engine.partitioning.groups import PageGroups
from pipeline.job import AfterEpisode, EveryNth, Job, OnChange, OnRequest, PerEpisode, Schedule

__all__ = ["Partitioning", "partitioning_of"]


def partitioning_of(engine: Engine, job: Job) -> Partitioning:
    """The partitioning of a job, by its cadence, and with requests where it takes them."""
    scheduled = _by_cadence(engine, job)
    return WithRequests(engine, job, scheduled, Requested(engine, job)) if job.on_request else scheduled


def _by_cadence(engine: Engine, job: Job) -> Partitioning:
    match job.schedule:
        case Schedule():
            return Clocked(engine, job)
        case PerEpisode(idle):
            return Episodes(engine, job, engine.settings.agents.idle if job.per_agent else idle)
        case AfterEpisode(of):
            return LaterEpisodes(engine, job, of)
        case EveryNth(of, size, field):
            members = engine.settings.agents.l1_after if job.per_agent else size
            return PageGroups(engine, job, _of(engine, of), members, field)
        case OnRequest():
            return Requested(engine, job)
        case OnChange(of):
            return InputChanges(engine, job, of)


def _of(engine: Engine, name: str) -> KeyedPartitioning:
    """The partitioning of the job that a job of groups follows.

    Raises:
        TypeError: that job runs by the clock, so its pages have no order of their own.
    """
    followed = _by_cadence(engine, next(job for job in engine.jobs if job.name == name))
    if not isinstance(followed, KeyedPartitioning):
        message = f"the pages of {name} have no ordinals"
        raise TypeError(message)
    return followed
