"""Every change of an agent's memory that was decided, a line each: from ended sessions, and from requests."""

from collections.abc import Sequence

from pipeline.job import Draft, Job, OnRequest, Reads, Run, Target

JOURNAL = "{agents}/{agent}/memory/journal/*.md"
"""The files of all journals, as a pattern to read them by."""


def run(run: Run) -> Sequence[Draft]:
    """A change for the request; none when there is nothing to change."""
    from jobs.journal.requests import changes  # noqa: PLC0415 - only a run pays for loading it

    return changes(run)


JOB = Job(
    name="agent_journal",
    purpose="Writes down each change of an agent's memory: what, whose word it rests on, and who asked for it.",
    schedule=OnRequest(),
    reads=Reads(items=(JOURNAL,)),
    writes=Target("{agents}/{agent}/memory/journal/{day}.md", append=True, listed=True),
    run=run,
    per_agent=True,
    on_request=True,
)
