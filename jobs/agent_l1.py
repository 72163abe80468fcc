"""Summaries of an agent's sessions, a few at a time: paragraphs, and the decisions."""

from collections.abc import Sequence

from jobs.agent_journal import JOURNAL
from jobs.agent_sessions import NAME as SESSIONS
from pipeline.drafts import Draft
from pipeline.job import EveryNth, Job, Reads, Run, Target

NAME = "agent_l1"
_PAGES = "{agents}/{agent}/memory/sessions/*.md"


def run(run: Run) -> Sequence[Draft]:
    """The items of the page; none when no session of the group can be read."""
    from jobs.session_summary.l1 import page

    return page(run)


JOB = Job(
    name=NAME,
    purpose="Sums up an agent's sessions, every few of them, with the decisions made in them.",
    schedule=EveryNth(SESSIONS, size=5, field="sessions"),
    reads=Reads(documents=(_PAGES,), items=(_PAGES, JOURNAL)),
    writes=Target("{agents}/{agent}/memory/summaries/L1/L1_{number}.md"),
    run=run,
    per_agent=True,
)
