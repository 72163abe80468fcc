"""Jobs for tests of the engine that render pages: of a day, of a week made of its days, and one made of all weeks."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta

from pipeline.drafts import Draft, ItemDraft
from pipeline.job import Document, Job, Period, Reads, Run, Schedule, Target
from schemas.transcript import Origin
from tests.support.builders.note_job import JOB as NOTE
from tests.support.builders.note_job import MARK

_ITEM = re.compile(r"- (.*?)[ \t]*<!-- memory:([a-z0-9-]+) check:[0-9a-f]* -->")
_NAMED_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_NAMED_WEEK = re.compile(r"\d{4}-W\d\d")


def _day(run: Run) -> Sequence[Draft]:
    said = sorted(
        (message.time, message.entry_ids[0], message.text.removeprefix(MARK).strip())
        for session in run.inputs.transcripts
        for message in session.conversation
        if message.origin is Origin.OWNER and message.text.startswith(MARK) and message.time in run.window
    )
    lines = [ItemDraft(name, f"- {text}") for _, name, text in said]
    head = [ItemDraft("front-matter", f"day: {run.day}"), ItemDraft("said", f"## Said on {run.day}")]
    return [*head, *lines] if lines else []


def _week(run: Run) -> Sequence[Draft]:
    days = {str(run.day - timedelta(days=run.day.weekday() - number)) for number in range(7)}
    mine = [document for document in run.inputs.documents if _NAMED_DAY.findall(document.path)[:1][0] in days]
    lines = list(_items(mine))
    return [ItemDraft("title", f"# {run.key}"), *lines] if lines else []


def _all(run: Run) -> Sequence[Draft]:
    documents = run.inputs.documents
    weeks = [document for document in documents if max(_NAMED_WEEK.findall(document.path), default="") <= run.key]
    lines = list(_items(weeks))
    return [ItemDraft("ours", "## Weeks"), *lines] if lines else []


def _items(documents: Iterable[Document]) -> Iterator[ItemDraft]:
    for document in documents:
        for text, name in _ITEM.findall(document.text):
            yield ItemDraft(name, f"- {text}")


DAY = Job(
    name="day",
    purpose="a page of what was noted on a day",
    schedule=Schedule("20 3 * * *", period=Period.DAY),
    reads=Reads(transcripts=True, entries=("memory/{day}.md",)),
    writes=Target("second-brain/summaries/{day}.md", overflow="second-brain/summaries/{day}-{volume}.md"),
    run=_day,
)
WEEK = Job(
    name="week",
    purpose="a page of the pages of a week's days",
    schedule=Schedule("10 4 * * 1", period=Period.WEEK),
    reads=Reads(documents=("second-brain/summaries/*.md",)),
    writes=Target("memory/archive/weekly-{week}.md", final=True),
    run=_week,
)
HOT = Job(
    name="hot",
    purpose="a page of the pages of all weeks",
    schedule=Schedule("40 4 * * 1", period=Period.WEEK),
    reads=Reads(documents=("memory/archive/weekly-*.md",), by_people=("MEMORY.md",)),
    writes=Target("MEMORY.md"),
    run=_all,
)
CHAIN = (NOTE, DAY, WEEK, HOT)
"""All of them, with the job that notes entries."""
