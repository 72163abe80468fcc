"""What makes a job due, each kind in a module: time, episodes, groups, requests, changes of its inputs.

All kinds answer the same questions, so nobody else asks of which kind a job is.
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
    """What makes this job due."""
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
