"""The articles: what was decided and stored often about one subject, on one page with its sources."""

from collections.abc import Sequence

from jobs.reflect import FACTS
from pipeline.drafts import Draft
from pipeline.facts.names import PAGES
from pipeline.job import Job, OnChange, Reads, Run, Target

DAYS = 3
"""The fewest days on which a subject was named."""


def run(run: Run) -> Sequence[Draft]:
    """The items of the articles; none of a subject that is not sure to be one."""
    from jobs.article.page import articles

    return articles(run)


JOB = Job(
    name="articles",
    purpose="Puts what was decided and stored often about one subject on one page: what holds, how it came about.",
    schedule=OnChange(),
    reads=Reads(facts=FACTS, entries=("memory/*.md", "memory/recent/*.md"), by_people=(PAGES,), without_facts=DAYS),
    writes=Target("second-brain/articles/{page}.md"),
    run=run,
)
"""A fold that works without facts as well: of work with agents that write code hardly any are retained."""
