"""The picture of the data flow, from the jobs' declarations alone."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pipeline.job import AfterEpisode, Job, Reads
from pipeline.scheduling.registry import upstream


def data_flow(jobs: Sequence[Job]) -> str:
    """A Mermaid flowchart: what each job reads, when it runs, and the one family of files it writes."""
    lines = ["flowchart LR"]
    if any(job.reads.transcripts for job in jobs):
        lines.append('  transcripts[("transcripts of your agents")]')
    lines += [f'  {job.name}{{{{"{job.name}<br/>{_when(job)}"}}}}' for job in jobs]
    lines += [f'  {_node(family)}["{family}"]' for family in _families(jobs)]
    lines += [edge for job in jobs for edge in _edges(job, jobs)]
    lines += ['  you(["you, with any editor"])', *(f"  you -.-> {_node(job.writes.family)}" for job in jobs)]
    return "".join(f"{line}\n" for line in lines)


def _when(job: Job) -> str:
    return f"at {job.when}" if job.clock else job.when


def _families(jobs: Sequence[Job]) -> list[str]:
    """Every family that is written or read, once, the written ones first."""
    written = [job.writes.family for job in jobs]
    read = [family for job in jobs for pattern in _patterns(job) for family in _sources(job, pattern, jobs)]
    return list(dict.fromkeys([*written, *read]))


def _edges(job: Job, jobs: Sequence[Job]) -> Iterator[str]:
    if job.reads.transcripts:
        yield f"  transcripts --> {job.name}"
    if isinstance(job.schedule, AfterEpisode):
        yield f"  {job.schedule.of} -.->|when it is over| {job.name}"
    for family in dict.fromkeys(source for pattern in _patterns(job) for source in _sources(job, pattern, jobs)):
        if family != job.writes.family:  # what it wrote before is no arrow of its own
            yield f"  {_node(family)} --> {job.name}"
    for family in job.reads.by_people:
        yield f"  {_node(family)} -.->|what you wrote| {job.name}"
    yield f"  {job.name} -->|only writer| {_node(job.writes.family)}"


def _patterns(job: Job) -> tuple[str, ...]:
    return (*job.reads.entries, *job.reads.documents, *job.reads.items, *job.reads.facts)


def _sources(job: Job, pattern: str, jobs: Sequence[Job]) -> list[str]:
    """The families that a pattern names: those of the jobs, else the pattern itself, which people fill."""
    alone = replace(job, name="", reads=Reads(documents=(pattern,)))
    return [other.writes.family for other in upstream(alone, jobs)] or [pattern]


def _node(family: str) -> str:
    return "file_" + re.sub(r"\W+", "_", family).strip("_")
