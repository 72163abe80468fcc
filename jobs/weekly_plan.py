"""The weekly plan of the page that an agent reads first: new entries are judged, and present ones judged again.

A plan decides; `weekly_compound` renders. A model may give its opinion on value, sameness and contradiction; every
verdict, and every word of the page, is written here.
"""

from collections.abc import Sequence

from pipeline.drafts import Draft
from pipeline.job import OFFLINE, Job, Period, Reads, Run, Schedule, Target


def run(run: Run) -> Sequence[Draft]:
    """The items of the week's plan; none without entries to judge, nor for a week in which nothing changed.

    A page of such a week, of an earlier version, stays.
    """
    from jobs.consolidation.inputs import gather
    from jobs.consolidation.model_opinion import NO_OPINION, consult
    from jobs.consolidation.plan_page import render_plan
    from jobs.consolidation.planning import override_notices, plan

    material = gather(run)
    if not material.fresh and not material.hot:
        return []
    # Offline there is no question, and no reason to count its tokens.
    opinion = NO_OPINION if run.models.way == OFFLINE else consult(run, material)
    planned = plan(material, opinion)
    before = {entry_id: (verdict.ruling, verdict.subject, verdict.since) for entry_id, verdict in material.hot.items()}
    now = {plan.verdict.entry_id: (plan.verdict.ruling, plan.verdict.subject, plan.verdict.since) for plan in planned}
    if before == now and not material.fresh and not run.written.current.strip():
        return []
    return [*render_plan(material.week, planned, run.models.background), *override_notices(material, planned)]


JOB = Job(
    name="weekly_plan",
    purpose="Judges the week's entries, and those in MEMORY.md again: which deserve the page an agent reads first.",
    schedule=Schedule("10 4 * * 1", period=Period.WEEK),
    reads=Reads(
        entries=("memory/*.md", "memory/recent/*.md"),
        documents=("second-brain/summaries/*.md", "memory/archive/weekly-*.md"),
        by_people=("MEMORY.md",),
    ),
    writes=Target("memory/archive/weekly-{week}.md", final=True),
    run=run,
    locks=("consolidation",),
)
