"""Facts: what the owner said about themselves and about named things, and what the assistant did, a line each.

One question for each session of a day. Each answer is checked against the session, and what it is to earlier facts is
judged once, when it is written (`jobs.facts`). Facts that other hands wrote into files are suggested to a person.
"""

from collections.abc import Sequence

from pipeline.drafts import Draft
from pipeline.facts.names import PAGES
from pipeline.facts.sections import HEADING
from pipeline.job import Job, Period, Reads, Run, Schedule, Target

OWN = "memory/retain/*.md"
"""The pages of facts, as a pattern to read them by."""


def run(run: Run) -> Sequence[Draft]:
    """The facts of a day, and suggestions; or what a person accepted. None on most days."""
    from jobs.facts.retaining import accept_fact, draft_facts, read_retained, suggest_foreign_facts

    if run.request:
        return accept_fact(run)
    known = read_retained(run)
    return [*draft_facts(run, known), *suggest_foreign_facts(run, known)]


JOB = Job(
    name="retain",
    purpose="Retains what you said about yourself and about named things, with the words it rests on.",
    schedule=Schedule("30 3 * * *", period=Period.DAY),
    reads=Reads(
        transcripts=True,
        documents=("memory/*.md", "memory/projects/*.md", OWN),
        by_people=(PAGES,),
        items=(OWN,),
    ),
    writes=Target("memory/retain/{day}.md", append=True, listed=True, heading=HEADING),
    run=run,
    on_request=True,
)
"""The facts of each day."""
