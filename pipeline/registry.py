"""The jobs there are, found by folder, and whether they go together."""

import importlib
import pkgutil
import re
from collections.abc import Iterable, Sequence
from graphlib import CycleError, TopologicalSorter

import jobs
from pipeline.errors import RegistryRefused, UnknownJob
from pipeline.job import Job

_ALLOWED_READS = ("MEMORY.md", "memory/", "second-brain/", "bank/", "agents/")


def discover() -> tuple[Job, ...]:
    """Every module of `jobs` that declares a `JOB`, checked together, each after those it depends on.

    Raises:
        RegistryRefused: two jobs, or a job and a rule, do not go together.
    """
    modules = (importlib.import_module(f"jobs.{found.name}") for found in pkgutil.iter_modules(jobs.__path__))
    return checked(job for module in modules if isinstance(job := getattr(module, "JOB", None), Job))


def checked(candidates: Iterable[Job]) -> tuple[Job, ...]:
    """The jobs in an order in which each comes after those whose files it reads.

    Raises:
        RegistryRefused: two owners of one family, a read that is not allowed, or a cycle.
    """
    found = sorted(candidates, key=lambda job: job.name)
    _refuse_two_owners(found)
    for job in found:
        for pattern in (*job.reads.entries, *job.reads.documents, *job.reads.by_people):
            if not pattern.startswith(_ALLOWED_READS) or ".." in pattern:
                message = f"Job {job.name} wants to read {pattern!r}, which is outside what jobs may see."
                raise RegistryRefused(message)
    by_name = {job.name: job for job in found}
    graph = {job.name: sorted(other.name for other in upstream(job, found)) for job in found}
    try:
        return tuple(by_name[name] for name in TopologicalSorter(graph).static_order())
    except CycleError as error:
        message = f"The jobs {' -> '.join(error.args[1])} read each other's files in a circle."
        raise RegistryRefused(message) from error


def upstream(job: Job, known: Iterable[Job]) -> list[Job]:
    """The jobs whose files `job` reads, other than its own."""
    return [other for other in known if other.name != job.name and _reads(job, other)]


def readers_of(known: Iterable[Job]) -> list[str]:
    """The names of the jobs that read transcripts."""
    return sorted(job.name for job in known if job.reads.transcripts)


def with_upstream(wanted: Sequence[Job], known: Sequence[Job]) -> list[Job]:
    """The jobs wanted and all they depend on, in the order of `known`."""
    names, waiting = set[str](), list(wanted)
    while waiting:
        job = waiting.pop()
        if job.name not in names:
            names.add(job.name)
            waiting += upstream(job, known)
    return [job for job in known if job.name in names]


def named(names: Sequence[str], known: Sequence[Job]) -> list[Job]:
    """The jobs of these names; all when there are none.

    Raises:
        UnknownJob: there is no such job.
    """
    by_name = {job.name: job for job in known}
    for name in names:
        if name not in by_name:
            raise UnknownJob(name, sorted(by_name))
    return [by_name[name] for name in names] if names else list(known)


def _refuse_two_owners(found: Sequence[Job]) -> None:
    for position, job in enumerate(found):
        for other in found[position + 1 :]:
            if any(_meets(mine, theirs) for mine in _patterns(job) for theirs in _patterns(other)):
                message = (
                    f"Jobs {job.name} and {other.name} would both write {job.writes.family}; a family has one writer."
                )
                raise RegistryRefused(message)
            if job.name == other.name:
                message = f"Two jobs are called {job.name}."
                raise RegistryRefused(message)


def _patterns(job: Job) -> list[str]:
    return [pattern for pattern in (job.writes.family, job.writes.overflow) if pattern]


def _reads(job: Job, other: Job) -> bool:
    patterns = (*job.reads.entries, *job.reads.documents)
    return any(_meets(pattern, family) for pattern in patterns for family in _patterns(other))


def _meets(one: str, other: str) -> bool:
    """Whether two patterns can name the same file; tried with an example of each for the other."""
    return bool(_expression(one).fullmatch(_example(other)) or _expression(other).fullmatch(_example(one)))


def _example(pattern: str) -> str:
    return pattern.format(day="2026-02-20", volume="2", week="2026-W08").replace("*", "2026-02-20")


def _expression(pattern: str) -> re.Pattern[str]:
    text = re.escape(pattern).replace(r"\*", "[^/]*").replace(r"\{day\}", r"\d{4}-\d\d-\d\d")
    return re.compile(text.replace(r"\{volume\}", r"\d+").replace(r"\{week\}", r"\d{4}-W\d\d"))
