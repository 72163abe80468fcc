"""A workspace's memory told in a few words, planned week by week."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

import pytest

from jobs.consolidation.plan_page import read_plan, with_ids
from jobs.consolidation.verdicts import Plan, Verdict, hot_verdicts
from jobs.weekly_plan import JOB
from pipeline.drafts import ItemDraft
from pipeline.entries.reference import ids_by_reference, item_name
from pipeline.job import Ask, Document, Inputs, Noted, Refusals, Run
from pipeline.markdown.items import Item, render_page
from schemas.entry import Entry, Kind, Source, Trust
from schemas.links import LinkBar
from schemas.window import Window
from tests.support.builders.entries import noted_entry
from tests.support.builders.job_run import job_run, offline

MONDAY = date(2026, 3, 2)


@dataclass
class History:
    """What was said, in weeks counted from 0, and the plans made of it."""

    noted: list[Noted] = field(default_factory=list)
    wrapups: list[Document] = field(default_factory=list)
    pages: dict[str, str] = field(default_factory=dict)
    removed: set[str] = field(default_factory=set)
    ids: set[str] = field(default_factory=set)
    memory: str = ""
    bars: frozenset[LinkBar] = frozenset()

    def say(self, text: str, day: int = 0, kind: Kind = Kind.RULE, **fields: object) -> str:
        """An entry said at nine on a day counted from the first Monday; its id."""
        entry_id = str(fields.pop("id", f"{kind.value.upper()}-{len(self.noted):03d}"))
        self.ids.add(entry_id)
        as_written = bool(fields.pop("as_written", True))
        given: dict[str, object] = {
            "id": entry_id,
            "title": text,
            "kind": kind,
            "date": datetime(MONDAY.year, MONDAY.month, MONDAY.day, 9, tzinfo=UTC) + timedelta(days=day),
            "source": Source(
                session_id=f"s{day}", session_path="m:s.jsonl", message_range=(1, 2), entry_ids=(entry_id,)
            ),
            "quote": text,
            "conclusion": text,
            "confidence": 0.9,
            "grounds": "the model m judged `replaces`" if fields.get("supersedes") else "",
        }
        entry = Entry.model_validate(given | fields)
        self.noted.append(noted_entry(entry, f"memory/{entry.date:%Y-%m-%d}.md", as_written=as_written))
        return entry_id

    def forge(self, text: str, day: int = 0, kind: Kind = Kind.RULE, **fields: object) -> str:
        """An entry that does not verify."""
        return self.say(text, day, kind, trust=Trust.UNVERIFIED, confidence=1.0, **fields)

    def change(self, entry_id: str, **fields: object) -> None:
        """An entry edited in its file."""
        for place, noted in enumerate(self.noted):
            if noted.entry.id == entry_id:
                self.noted[place] = noted_entry(noted.entry.model_copy(update=fields), noted.path, as_written=False)

    def put_back(self, entry: Entry) -> None:
        """An entry made again what it was when it was written."""
        for place, noted in enumerate(self.noted):
            if noted.entry.id == entry.id:
                self.noted[place] = noted_entry(entry, noted.path, as_written=True)

    def as_written(self) -> set[str]:
        """The entries that are word for word what was written."""
        return {noted.entry.id for noted in self.noted if noted.as_written}

    def drop(self, entry_id: str) -> None:
        """An entry deleted from its file."""
        self.noted = [noted for noted in self.noted if noted.entry.id != entry_id]

    def take_out(self, entry_id: str) -> None:
        """An entry that a person took out of MEMORY.md."""
        self.removed.add(f"MEMORY.md#{item_name(entry_id)}")

    def wrap_up(self, day: int, *lines: str) -> None:
        """The wrap-up of a day."""
        path = f"second-brain/summaries/{MONDAY + timedelta(days=day)}-wrapup.md"
        self.wrapups.append(Document(path, "# A day\n\n" + "".join(f"- {line}\n" for line in lines)))

    def drafts(self, week: int = 0, ask: Ask = offline, way: str = "offline") -> list[ItemDraft]:
        """What the job returns for a week."""
        return [draft for draft in JOB.run(self.run(week, ask, way)) if isinstance(draft, ItemDraft)]

    def run(self, week: int = 0, ask: Ask = offline, way: str = "offline") -> Run:
        """What the job sees of a week."""
        start = datetime(MONDAY.year, MONDAY.month, MONDAY.day, tzinfo=UTC) + timedelta(weeks=week)
        window = Window(start=start, end=start + timedelta(weeks=1))
        plans = tuple(Document(path, text) for path, text in self.pages.items())
        return job_run(
            window,
            ask,
            way,
            now=window.end + timedelta(days=400),
            inputs=Inputs(
                documents=(*self.wrapups, *plans),
                entries=tuple(self.noted),
                by_people=(Document("MEMORY.md", self.memory),),
            ),
            refusals=Refusals(removed=frozenset(self.removed), unlinked=self.bars),
        )

    def plan(self, week: int = 0, ask: Ask = offline, way: str = "offline") -> dict[str, Verdict]:
        """The verdicts of a week by entry, as they are read back from its page, which is kept."""
        items = self.drafts(week, ask, way)
        year, number, _ = (MONDAY + timedelta(weeks=week)).isocalendar()
        path = f"memory/archive/weekly-{year}-W{number:02d}.md"
        if items:
            self.pages[path] = render_page(b"", [Item(item.name, item.text) for item in items]).decode()
        plan = self.read(path, self.pages.get(path, ""))
        assert plan is not None
        assert len(plan.verdicts) == len({verdict.entry_id for verdict in plan.verdicts})
        return {verdict.entry_id: verdict for verdict in plan.verdicts}

    def read(self, path: str, text: str) -> Plan | None:
        """A plan with the ids of all entries that there ever were."""
        plan = read_plan(path, text)
        return with_ids(plan, ids_by_reference(sorted(self.ids))) if plan else None

    def plans(self) -> list[Plan]:
        """All plans as they stand."""
        return [plan for path, text in self.pages.items() if (plan := self.read(path, text))]

    def hot(self) -> dict[str, Verdict]:
        """What belongs on the page after all plans."""
        return hot_verdicts(self.plans())


@pytest.fixture
def history() -> History:
    """An empty one."""
    return History()


@pytest.fixture(scope="session")
def new_history() -> Callable[[], History]:
    """Makes empty ones, for properties."""
    return History
