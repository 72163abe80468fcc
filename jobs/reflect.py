"""The bank: what is so, what the agent did, and what is believed, out of all facts."""

from collections.abc import Sequence

from pipeline.drafts import Draft
from pipeline.job import Job, OnChange, Reads, Run, Target

FACTS = ("memory/*.md", "memory/projects/*.md", "memory/retain/*.md")
"""Files with facts."""

BY_PEOPLE = ("bank/*.md", "bank/entities/*.md")
"""Pages on which people name entities, and note what several facts have in common."""


def run(run: Run) -> Sequence[Draft]:
    """The items of the pages; none of a page about which nothing is known."""
    from jobs.bank.page import bank_pages

    return bank_pages(run)


JOB = Job(
    name="reflect",
    purpose="Renders what is known: what is so and since when, what the agent did, and beliefs with their grounds.",
    schedule=OnChange(),
    reads=Reads(facts=FACTS, by_people=BY_PEOPLE),
    writes=Target("bank/{page}.md"),
    run=run,
)
"""A fold: it runs when a fact, or a name that people gave, has changed."""
