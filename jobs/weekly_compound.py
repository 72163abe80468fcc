"""The page that an agent reads first: the entries that all plans promote, as far as the person's lines leave room.

The job is a fold of the plans: it runs when one of them was written, changed or taken back, and reads all of them.
"""

from collections.abc import Sequence

from pipeline.drafts import Draft
from pipeline.job import Job, OnChange, Reads, Run, Target
from schemas.hot_page import PATH


def run(run: Run) -> Sequence[Draft]:
    """The items of the page, and a rejection for each entry that found no room."""
    from jobs.consolidation.standing_page import page

    return page(run)


JOB = Job(
    name="weekly_compound",
    purpose="Renders MEMORY.md: what the plans promote, as far as there is room beside your own lines.",
    schedule=OnChange(of=("memory/archive/weekly-*.md",)),
    reads=Reads(entries=("memory/*.md", "memory/recent/*.md"), documents=("memory/archive/weekly-*.md",)),
    writes=Target(PATH),
    run=run,
    locks=("consolidation",),
    on_request=True,
)
