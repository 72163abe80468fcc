"""The registry of jobs, found by folder, with the checks of their rules."""

import importlib
import pkgutil
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from graphlib import CycleError, TopologicalSorter

import jobs
from pipeline.errors import RegistryRefused, UnknownJob
from pipeline.job import AfterEpisode, EveryNth, Job, OnChange, OnRequest
from pipeline.workspace.layout import Layout, example_of, expression_of, fault_of, patterns_of, slots_in


@cache
def discover() -> tuple[Job, ...]:
    """Every module of `jobs` that declares a `JOB`, checked together, each after those it depends on.

    Raises:
        RegistryRefused: two jobs, or a job and a rule, do not go together.
    """
    # A folder is the work of jobs, which takes long to load and declares none.
    names = (module.name for module in pkgutil.iter_modules(jobs.__path__) if not module.ispkg)
    modules = (importlib.import_module(f"jobs.{name}") for name in names)
    return check_jobs(job for module in modules if isinstance(job := getattr(module, "JOB", None), Job))


def check_jobs(candidates: Iterable[Job]) -> tuple[Job, ...]:
    """Check the jobs together. Returns them in dependency order: a job comes after those that write its inputs."""
    ordered = sorted(candidates, key=lambda job: job.name)
    for job in ordered:
        for pattern in patterns_of(job.writes):
            if fault := fault_of(pattern):
                message = f"Job {job.name} wants to write {pattern!r}, {fault}."
                raise RegistryRefused(message)
        if fault := _fault_of(job):
            message = f"Job {job.name} {fault}."
            raise RegistryRefused(message)
    _refuse_two_owners(ordered)
    _refuse_groups_of_nothing(ordered)
    layout = Layout(ordered)
    for job in ordered:
        reads = job.reads
        for pattern in (*reads.entries, *reads.documents, *reads.items, *reads.facts, *reads.by_people):
            if not layout.covers(pattern):
                message = f"Job {job.name} wants to read {pattern!r}, which is outside what jobs may see."
                raise RegistryRefused(message)
    by_name = {job.name: job for job in ordered}
    graph = {job.name: sorted(other.name for other in upstream(job, ordered)) for job in ordered}
    try:
        return tuple(by_name[name] for name in TopologicalSorter(graph).static_order())
    except CycleError as error:
        message = f"The jobs {' -> '.join(error.args[1])} read each other's files in a circle."
        raise RegistryRefused(message) from error


def upstream(job: Job, known: Iterable[Job]) -> list[Job]:
    """The other jobs with files that `job` reads, or with episodes that it follows."""
    return [
        other
        for other in known
        if other.name != job.name and (_reads_from(job, other) or other.name == _followed_job(job))
    ]


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


def jobs_named(names: Sequence[str], known: Sequence[Job]) -> list[Job]:
    """The jobs of these names, in which a dash is an underscore too; without names, all jobs.

    Raises:
        UnknownJob: there is no such job.
    """
    by_name = {job.name: job for job in known}
    meant = [name.replace("-", "_") for name in names]
    for name in meant:
        if name not in by_name:
            raise UnknownJob(name, sorted(by_name))
    return [by_name[name] for name in meant] if names else list(known)


def _fault_of(job: Job) -> str:
    """Why the job's trigger does not fit its reads and writes; empty when it does."""
    slots, timeless = slots_in(job.writes.family), isinstance(job.schedule, EveryNth | OnChange)
    if job.reads.transcripts and (timeless or isinstance(job.schedule, OnRequest)):
        return f"runs {job.when}, and so cannot read transcripts"
    if timeless and slots & {"day", "week", "month", "episode"}:
        return f"runs {job.when}, and so cannot write {job.writes.family!r}: it belongs to no time"
    if isinstance(job.schedule, EveryNth) and ("number" not in slots or not job.reads.documents):
        return "writes a page for each group of pages: its family needs {number}, and it has to read them"
    if job.per_agent != ("agent" in slots):
        return "is about one agent at a time, or not: its family needs {agent} exactly then"
    return ""


def _followed_job(job: Job) -> str:
    """The name of the job with the episodes or pages that a job follows; empty without a job."""
    return job.schedule.of if isinstance(job.schedule, AfterEpisode | EveryNth) else ""


def _refuse_groups_of_nothing(known: Sequence[Job]) -> None:
    names = {job.name for job in known}
    for job in known:
        if isinstance(job.schedule, EveryNth) and job.schedule.of not in names:
            message = f"Job {job.name} follows {job.schedule.of}, which is no job."
            raise RegistryRefused(message)


def _refuse_two_owners(jobs_in_order: Sequence[Job]) -> None:
    for position, job in enumerate(jobs_in_order):
        for other in jobs_in_order[position + 1 :]:
            if any(
                _can_overlap(mine, theirs) for mine in patterns_of(job.writes) for theirs in patterns_of(other.writes)
            ):
                message = (
                    f"Jobs {job.name} and {other.name} would both write {job.writes.family}; a family has one writer."
                )
                raise RegistryRefused(message)
            if job.name == other.name:
                message = f"Two jobs are called {job.name}."
                raise RegistryRefused(message)


def _reads_from(job: Job, other: Job) -> bool:
    patterns = (*job.reads.entries, *job.reads.documents, *job.reads.items, *job.reads.facts)
    return any(_can_overlap(pattern, family) for pattern in patterns for family in patterns_of(other.writes))


@lru_cache(maxsize=4096)
def _can_overlap(one: str, other: str) -> bool:
    """Whether two patterns can name the same file; tried with an example of each for the other."""
    return bool(expression_of(one).fullmatch(example_of(other)) or expression_of(other).fullmatch(example_of(one)))
