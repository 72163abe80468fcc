"""The pages of entities: what is known about each person, project, place and thing."""

from collections.abc import Sequence

from jobs.reflect import BY_PEOPLE, FACTS
from pipeline.drafts import Draft
from pipeline.facts.sections import FAMILY
from pipeline.job import Job, OnChange, Reads, Run, Target


def run(run: Run) -> Sequence[Draft]:
    """The items of the pages; none of an entity that nobody vouches for."""
    from jobs.bank.entity import entity_pages

    return entity_pages(run)


JOB = Job(
    name="entity_pages",
    purpose="Renders a page for each entity: what holds, opinions, decisions, who it comes with, and its history.",
    schedule=OnChange(),
    reads=Reads(facts=FACTS, entries=("memory/*.md", "memory/recent/*.md"), by_people=BY_PEOPLE),
    writes=Target(FAMILY),
    run=run,
)
"""A fold beside `reflect`, because the pages of a family lie in one folder."""
