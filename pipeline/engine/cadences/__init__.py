"""The reasons for which jobs are due, each kind in a module: time, episodes, groups, requests, changes of inputs.

All kinds have the methods of `Cadence`, so no other module needs the kind of a job.
"""

from pipeline.engine.cadences.base import Cadence
from pipeline.engine.cadences.changes import InputChanges
from pipeline.engine.cadences.clocked import Clocked
from pipeline.engine.cadences.episodes import Episodes
from pipeline.engine.cadences.groups import FileGroups
from pipeline.engine.cadences.requests import Requested
from pipeline.engine.context import Engine
from pipeline.job import EveryNth, Job, OnChange, OnRequest, PerEpisode, Schedule

__all__ = ["Cadence", "cadence_of"]


def cadence_of(engine: Engine, job: Job) -> Cadence:
    """The cadence of a job, by its schedule."""
    match job.schedule:
        case Schedule():
            return Clocked(engine, job)
        case PerEpisode(idle):
            return Episodes(engine, job, idle)
        case EveryNth(size):
            return FileGroups(engine, job, size)
        case OnRequest():
            return Requested(engine, job)
        case OnChange(of):
            return InputChanges(engine, job, of)
