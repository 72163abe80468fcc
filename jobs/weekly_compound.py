"""The page an agent reads first: what all plans together promote, as far as there is room beside the person's lines.

The plans of all weeks that are over count, also of weeks after the one that is run: when an earlier week is
back-filled, the page does not go back in time.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta

from jobs.consolidation.page import PageCandidate, subject_of
from jobs.consolidation.page_budget import arrange
from jobs.consolidation.verdicts import Plan, Ruling, hot
from jobs.consolidation.versions import counting
from pipeline.entries.reference import ids_by_reference
from pipeline.entries.standing import Fold, fold
from pipeline.job import Draft, Job, Noted, Period, Reads, Run, Schedule, Target
from schemas.entry import Trust
from schemas.hot_page import PATH
from schemas.outcome import Rejection

NO_ROOM = "no_room"
"""Why an entry that belongs on the page is not on it."""


def run(run: Run) -> Sequence[Draft]:
    """The items of the page, and a rejection for each entry that found no room."""
    from jobs.consolidation.plan_page import read_plan, with_ids  # noqa: PLC0415 - a run that finds nothing due need not pay for it

    names = ids_by_reference(each.entry.id for each in run.noted)
    read = _credible([plan for each in run.documents if (plan := read_plan(each.path, each.text))], run)
    plans = [with_ids(plan, names) for plan in read]
    removed = frozenset(each.removeprefix(f"{PATH}#") for each in run.removed)
    arrangement = arrange(run.current, removed, standing(plans, run.noted, _until(run, plans)))
    return [*arrangement.items, *(_no_room(candidate.noted) for candidate in arrangement.left_out)]


def standing(plans: Sequence[Plan], noted: Iterable[Noted], until: datetime) -> list[PageCandidate]:
    """The entries that belong on the page, in the order in which they are placed: by seniority, then by score.

    A plan's word is not enough: an entry has to verify, and to hold after all that was said before `until`.
    """
    verified = [each for each in noted if each.entry.trust is not Trust.UNVERIFIED and each.entry.date < until]
    state, wanted = fold(each.entry for each in verified), _subjects(plans)
    counted = counting(verified, state)
    holding = {each.id: counted[each.id] for each in state.active()}
    shown = [holding[entry_id] for entry_id in hot(plans) if entry_id in holding]
    together: dict[str, list[Noted]] = defaultdict(list)
    for each in shown:
        together[wanted[each.entry.id]].append(each)
    return [
        PageCandidate(each, _days(state, each.entry.id), subject_of(subject, each, together[subject]))
        for each in shown
        for subject in (wanted[each.entry.id],)
    ]


def _days(state: Fold, entry_id: str) -> int:
    """On how many days an entry was said, again in other sessions included."""
    seen, todo = {entry_id}, [entry_id]
    while todo:
        again = [each for each in state.states[todo.pop()].reinforced_by if each not in seen]
        seen.update(again)
        todo += again
    return len({state.states[each].entry.date.date() for each in seen})


def _subjects(plans: Iterable[Plan]) -> Mapping[str, str]:
    """The heading of each entry: the one it was promoted under, so that it does not wander while it stays."""
    subjects: dict[str, str] = {}
    for plan in sorted(plans, key=lambda each: each.week):
        for verdict in plan.verdicts:
            if verdict.ruling is Ruling.PROMOTED:
                subjects.setdefault(verdict.entry_id, verdict.subject)
            else:
                subjects.pop(verdict.entry_id, None)
    return subjects


def _credible(plans: Iterable[Plan], run: Run) -> list[Plan]:
    """The plans of weeks that are over; nobody can have planned another, so it is forged.

    This is all that `run.now` is for. A back-fill years later believes what week by week did: it runs in the order of
    time, and the plans of later weeks do not exist yet.
    """
    this_week = _first_day(run.now.date())
    return [plan for plan in plans if _monday(plan.week) < this_week]


def _until(run: Run, plans: Iterable[Plan]) -> datetime:
    """The end of the week that is run, or of the latest plan: a local midnight, whatever the clocks did in between."""
    monday = max([_first_day(run.day), *(_monday(plan.week) for plan in plans)])
    return datetime.combine(monday + timedelta(weeks=1), time(), run.now.tzinfo)


def _first_day(day: date) -> date:
    """The Monday of a day's week."""
    return day - timedelta(days=day.weekday())


def _monday(week: str) -> date:
    year, _, number = week.partition("-W")
    return date.fromisocalendar(int(year), int(number), 1)


def _no_room(noted: Noted) -> Rejection:
    source = noted.entry.source
    return Rejection(
        reason=NO_ROOM, session_id=source.session_id, number=source.message_range[0], detail=noted.entry.id
    )


JOB = Job(
    name="weekly_compound",
    purpose="Renders MEMORY.md: what the plans promote, as far as there is room beside your own lines.",
    schedule=Schedule("40 4 * * 1", period=Period.WEEK),
    reads=Reads(entries=("memory/*.md", "memory/recent/*.md"), documents=("memory/archive/weekly-*.md",)),
    writes=Target(PATH),
    run=run,
    locks=("consolidation",),
)
