"""The brain of an agent: a fold of its journal, as far as the person's lines leave room.

What the entries of the workspace know as replaced, or a person archived, is left out.
"""

from collections.abc import Sequence

from jobs.agent_journal import JOURNAL
from pipeline.agents.brain import PAGE
from pipeline.drafts import Draft
from pipeline.job import Job, OnChange, Reads, Run, Target


def run(run: Run) -> Sequence[Draft]:
    """The items of both pages; none without a line that stands."""
    from jobs.brain.pages import pages

    return pages(run)


JOB = Job(
    name="agent_brain",
    purpose="Renders what an agent always knows: the lines of its journal that stand, as far as there is room.",
    schedule=OnChange(),
    reads=Reads(
        items=(JOURNAL,), entries=("memory/*.md", "memory/recent/*.md"), by_people=(PAGE.replace("{part}", ""),)
    ),
    writes=Target(PAGE),
    run=run,
    per_agent=True,
)
"""A fold: it runs when the journal, the entries or the person's lines have changed."""
