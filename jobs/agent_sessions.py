"""The archive of an agent's sessions: what the owner and the agent said to each other, a page for each episode."""

from collections.abc import Sequence

from pipeline.drafts import Draft
from pipeline.job import Job, PerEpisode, Reads, Run, Target

NAME = "agent_sessions"


def run(run: Run) -> Sequence[Draft]:
    """The items of the page; none when nothing was said inside the window."""
    from jobs.session_summary.archive import page

    return page(run)


JOB = Job(
    name=NAME,
    purpose="Archives each session of an agent with a memory of its own, as the owner and the agent spoke.",
    schedule=PerEpisode(),
    reads=Reads(transcripts=True),
    writes=Target("{agents}/{agent}/memory/sessions/{day}_{number}.md"),
    run=run,
    per_agent=True,
)
