"""The page that an agent reads first, week by week: what each plan said of which entry and why, and what it changed."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from pipeline.clock import local_day
from pipeline.engine.context import Engine
from pipeline.job import Job
from pipeline.ledger.runs import RunRecord
from pipeline.markdown.blocks import without_marks
from pipeline.reports.occurrences import passages, reason_below
from pipeline.reports.runs import difference
from pipeline.workspace.families import iso_week
from schemas.hot_page import PATH
from schemas.outcome import NO_ROOM

_RUNS = 200  # newest runs of a job that are looked at
_VERDICT = re.compile(r"- \*\*([^*\n]+)\*\* \[([^\s\[\]<>]+)\](?:\([^\s()]*\))?:?[ \t]*(.*)")
_LINK = re.compile(r"\[([^\s\[\]<>]+)\]\([^\s()]*\)")
_SECTION = re.compile(r"##\s+(.*\S)")
_PROMOTED = "promoted"
STAYS = "stays"
"""The verdict on an entry that stands on the page already and is promoted again."""


@dataclass(frozen=True)
class WeekVerdict:
    """A plan's verdict on an entry: the word in bold, or `STAYS`, and why. `entry` is the name that the plan gives."""

    ruling: str
    entry: str
    title: str
    reason: str


@dataclass(frozen=True)
class HotPageChange:
    """A run that changed the page, with the lines of a diff. `week` is that of the last plan before it, or empty."""

    run: RunRecord
    week: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class JudgedWeek:
    """A week with its plan, and the changes of the page that followed before the next plan was written."""

    week: str
    path: str
    verdicts: tuple[WeekVerdict, ...]
    changes: tuple[HotPageChange, ...]


def plans(engine: Engine) -> dict[str, str]:
    """The files of the plans by their weeks, the newest first."""
    families = [engine.family(job) for job in engine.jobs if _is_plan(job)]
    days = {path: family.day_of(path) for family in families for path in family.paths()}
    return {iso_week(day): path for path, day in sorted(days.items(), reverse=True) if day}


def judged_week(engine: Engine, week: str, path: str, changes: Iterable[HotPageChange]) -> JudgedWeek:
    """A week with what its plan says, and what became of the page by it; `changes` are those of all weeks.

    Raises:
        ReadFailed: the plan cannot be read.
    """
    own = tuple(change for change in changes if change.week == week)
    return JudgedWeek(week, path, tuple(_verdicts(engine.workspace.read(path) or b"")), own)


def page_changes(engine: Engine) -> list[HotPageChange]:
    """The changes that runs made to the page, the newest first."""
    job, planned = engine.page_job, _plans_written(engine)
    return [
        HotPageChange(record, _week_before(record, planned), tuple(difference(change)))
        for record in (engine.ledger.runs.latest(job.name, _RUNS) if job else ())
        for change in engine.ledger.changes.of_run(record.run_id)
        if change.path == PATH
    ]


def without_room(engine: Engine) -> tuple[str, ...]:
    """The ids of the entries that found no room at the last rendering, where the ledger still has them."""
    job = engine.page_job
    last = engine.ledger.runs.last_success(job.name) if job else None
    rejected = last.outcome.rejected if last and last.outcome else ()
    return tuple(rejection.detail for rejection in rejected if rejection.reason == NO_ROOM and rejection.detail)


def _plans_written(engine: Engine) -> list[tuple[datetime, str]]:
    """The times at which plans were written, and their weeks."""
    names = [job.name for job in engine.jobs if _is_plan(job)]
    records = [record for name in names for record in engine.ledger.runs.latest(name, _RUNS)]
    written = [record for record in records if record.outcome and record.outcome.paths]
    return [(record.began, iso_week(local_day(record.window.start, engine.zone))) for record in written]


def _week_before(record: RunRecord, planned: Iterable[tuple[datetime, str]]) -> str:
    """The week whose plan was the last to be written before a run began; empty when none is known."""
    return max((one for one in planned if one[0] <= record.began), default=(record.began, ""))[1]


def _is_plan(job: Job) -> bool:
    """Whether a job judges what belongs on the page."""
    return "{week}" in job.writes.family and PATH in job.reads.by_people


def _verdicts(data: bytes) -> Iterator[WeekVerdict]:
    """The verdicts of a plan: list items that begin with a word in bold; what is below says why. Others are no such."""
    stays = False
    for passage in passages(data):
        text = without_marks(passage.text)
        if section := _SECTION.match(text):
            stays = section[1].casefold() == STAYS
        elif verdict := _VERDICT.match(text):
            ruling = STAYS if stays and verdict[1] == _PROMOTED else verdict[1]
            yield WeekVerdict(ruling, verdict[2], verdict[3].strip(), _LINK.sub(r"\1", reason_below(text)))
