"""`memory show jobs`."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from pipeline.errors import WorkspaceMissing
from pipeline.job import Reads
from pipeline.reports.jobs import declared_job
from pipeline.scheduling.registry import discover
from pipeline.settings.load import load_settings
from pipeline.settings.locate import find_workspace
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import environment
from pipeline.surfaces.cli.terminal.format import cut_line, print_columns, print_json, terminal_columns
from schemas.settings import JobSettings

_LONGEST_SCHEDULE = 24  # columns of a terminal


@click.command("jobs")
@options.wide
@options.as_json
@options.workspace
def command(workspace: str | None, *, wide: bool, as_json: bool) -> None:
    """List the jobs: when they run, what they read and write.

    What they read is shown with --wide.

    With --json: `reads` says whether `transcripts` are read, and has the patterns of the files that are: `documents`,
    those of which the `entries` alone are, or our list `items`, and those of which only what people wrote is
    (`by_people`).

    Inside a workspace the schedules and time limits are those that its settings give.
    """
    settings: Mapping[str, JobSettings] = {}  # outside of a workspace there are none
    try:
        settings = load_settings(find_workspace(workspace, environment(), Path()), environment()).jobs
    except WorkspaceMissing:
        if workspace:
            raise
    if as_json:
        for job in discover():
            print_json(declared_job(job, settings.get(job.name, JobSettings())))
        return
    rows = []
    for job in discover():
        setting = settings.get(job.name, JobSettings())
        schedule = (job.clock and setting.schedule) or job.when
        reads = ("; ".join(reads_in_words(job.reads)), job.writes.family) if wide else ()
        shown = schedule if wide or not terminal_columns() else cut_line(schedule, _LONGEST_SCHEDULE)
        rows.append((job.name, shown, *reads, job.purpose))
    heads = ("READS", "WRITES") if wide else ()
    print_columns(rows, ("JOB", "SCHEDULE", *heads, "PURPOSE"), cutting=not wide)


def reads_in_words(reads: Reads) -> Iterator[str]:
    """The inputs of a job, a phrase for each way in which it reads."""
    if reads.transcripts:
        yield "the transcripts"
    parts = (
        ("the entries in ", reads.entries),
        ("our list items in ", reads.items),
        ("the facts in ", reads.facts),
        ("", reads.documents),
        ("what people wrote in ", reads.by_people),
    )
    for words, patterns in parts:
        if patterns:
            yield words + ", ".join(patterns)
