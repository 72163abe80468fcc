"""The second layer of memory: every night tells the day's story, in six sections, with the messages behind each line.

One question for each piece of a session, one to merge what they found. Each answer is checked against the sessions
(`jobs.wrapup`); the decisions come from the day's file, and what the records prove by their fields is added by code.
Nothing is promoted here.
"""

from collections.abc import Sequence
from datetime import timedelta

from pipeline.drafts import Draft
from pipeline.job import Job, Period, Reads, Run, Schedule, Target


def run(run: Run) -> Sequence[Draft]:
    """The items of the day's page; none when no person took part in the day."""
    from jobs.wrapup.build import wrap_up

    return wrap_up(run)


JOB = Job(
    name="daily_wrapup",
    purpose="Tells the story of a day: what was decided, undertaken, talked about, learned and left open.",
    schedule=Schedule("20 3 * * *", period=Period.DAY),
    reads=Reads(transcripts=True, entries=("memory/{day}.md", "memory/recent/{day}-*.md")),
    writes=Target(
        "second-brain/summaries/{day}-wrapup.md",
        overflow="second-brain/summaries/{day}-wrapup-{volume}.md",
        lines=1500,
    ),
    run=run,
    timeout=timedelta(minutes=30),
    locks=("consolidation",),
)
