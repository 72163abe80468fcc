"""The folder of the agents, and the patterns of jobs with it."""

from dataclasses import replace
from typing import Any

from pipeline.job import Job, OnChange

AGENTS = "agents"
"""The folder of the agents, each with one of its own, unless the settings name another."""

_SLOT = "{agents}"


def placed(job: Job, folder: str) -> Job:
    """The job with the folder of the agents put into its patterns; itself when it has none of them."""
    writes, schedule = job.writes, job.schedule
    if isinstance(schedule, OnChange):
        schedule = OnChange(_all_placed(schedule.of, folder))
    patterns = {name: value for name, value in vars(job.reads).items() if isinstance(value, tuple)}
    put_in: dict[str, Any] = {name: _all_placed(value, folder) for name, value in patterns.items()}
    reads = replace(job.reads, **put_in)
    family, overflow = placed_pattern(writes.family, folder), placed_pattern(writes.overflow, folder)
    other = replace(job, schedule=schedule, reads=reads, writes=replace(writes, family=family, overflow=overflow))
    return job if other == job else other


def placed_pattern(pattern: str, folder: str) -> str:
    """A pattern with the folder of the agents put in."""
    return pattern.replace(_SLOT, folder)


def _all_placed(patterns: tuple[str, ...], folder: str) -> tuple[str, ...]:
    return tuple(placed_pattern(pattern, folder) for pattern in patterns)
