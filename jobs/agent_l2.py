"""Summaries of a longer time with an agent: every few of its summaries in one."""

from collections.abc import Sequence

from jobs.agent_l1 import NAME as FIRST_LAYER
from pipeline.drafts import Draft
from pipeline.job import EveryNth, Job, Reads, Run, Target

_PAGES = "{agents}/{agent}/memory/summaries/L1/*.md"


def run(run: Run) -> Sequence[Draft]:
    """The items of the page; none when no summary of the group can be read."""
    from jobs.session_summary.l2 import page

    return page(run)


JOB = Job(
    name="agent_l2",
    purpose="Sums up the summaries of an agent's sessions, every few of them.",
    schedule=EveryNth(FIRST_LAYER, size=5, field="l1_summaries"),
    reads=Reads(documents=(_PAGES,), items=(_PAGES,)),
    writes=Target("{agents}/{agent}/memory/summaries/L2/L2_{number}.md"),
    run=run,
    per_agent=True,
)
