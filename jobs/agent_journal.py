"""Every change of an agent's memory that was decided, a line each: from ended sessions, and from requests."""

from collections.abc import Sequence

from jobs.agent_sessions import NAME as SESSIONS
from pipeline.drafts import Draft
from pipeline.job import AfterEpisode, Job, Reads, Run, Target

JOURNAL = "{agents}/{agent}/memory/journal/*.md"
"""The files of all journals, as a pattern to read them by."""


def run(run: Run) -> Sequence[Draft]:
    """The changes that a session or a request makes; none when there is nothing to change."""
    from jobs.journal import requests, sessions

    return requests.changes(run) if run.request else sessions.changes(run)


JOB = Job(
    name="agent_journal",
    purpose="Writes down each change of an agent's memory: what, whose word it rests on, and who asked for it.",
    schedule=AfterEpisode(SESSIONS),
    reads=Reads(transcripts=True, items=(JOURNAL,)),
    writes=Target("{agents}/{agent}/memory/journal/{day}.md", append=True, listed=True),
    run=run,
    per_agent=True,
    on_request=True,
)
