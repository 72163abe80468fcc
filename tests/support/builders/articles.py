"""Decisions about one thing on days in a row, and what a fold of articles makes of them."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from jobs.articles import JOB
from pipeline.drafts import ItemDraft
from pipeline.job import Document, Noted
from schemas.entry import Entry, Kind, Source
from schemas.fact import Fact
from tests.support.builders.fact_bench import run_of

FIRST = datetime(2026, 2, 2, 9, tzinfo=UTC)
GRAFANA = (
    "Nothing gets deployed to Grafana on a Friday.",
    "Grafana shows 30 days of data.",
    "The Grafana admin login is in the safe.",
    "Grafana shows 90 days of data.",
)
"""What was said on four days; the last replaces the second."""


def decided(text: str, day: int = 0, **fields: object) -> Noted:
    """An entry of the n-th day; the number of its message is that of the day."""
    at = FIRST + timedelta(days=day)
    source = Source(
        session_id=f"s{day}", session_path="memory:s.jsonl", message_range=(2, 3), entry_ids=(f"m-{day}-{text}",)
    )
    made = {
        "id": entry_id(text, day),
        "title": text,
        "kind": Kind.DECISION,
        "date": at,
        "source": source,
        "quote": text,
        "conclusion": text,
        "confidence": 0.9,
    }
    entry = Entry.model_validate(made | fields)
    return Noted(entry, f"memory/{at.date()}.md", entry.confidence)


def entry_id(text: str, day: int) -> str:
    """The id of an entry that was `decided`."""
    words = "-".join(word for word in text.lower().rstrip(".").split())
    return f"DECISION-{(FIRST + timedelta(days=day)):%Y%m%d}-{words}"


def day_of(number: int) -> date:
    """The n-th day."""
    return (FIRST + timedelta(days=number)).date()


def about(*texts: str) -> list[Noted]:
    """Entries of days in a row."""
    return [decided(text, day) for day, text in enumerate(texts)]


def about_grafana() -> list[Noted]:
    """The decisions of `GRAFANA`."""
    *before, last = about(*GRAFANA)
    return [*before, decided(last.entry.title, 3, supersedes=(before[1].entry.id,))]


def drafts(
    noted: Sequence[Noted],
    facts: Sequence[Fact] = (),
    by_people: Sequence[Document] = (),
    removed: Collection[str] = (),
) -> dict[str, list[ItemDraft]]:
    """The wanted items of the articles, by page."""
    pages = defaultdict[str, list[ItemDraft]](list)
    run = run_of(facts, by_people, removed)
    for draft in JOB.run(replace(run, inputs=replace(run.inputs, entries=tuple(noted)))):
        assert isinstance(draft, ItemDraft)
        pages[draft.page].append(draft)
    return dict(pages)


def under(heading: str, items: Sequence[ItemDraft]) -> list[str]:
    """The lines under a heading."""
    texts = [item.text for item in items]
    after = texts[texts.index(heading) + 1 :] if heading in texts else []
    end = next((place for place, text in enumerate(after) if text.startswith("#")), len(after))
    return after[:end]
