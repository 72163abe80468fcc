"""Workspaces of a few files: nothing, many entries, or facts of other hands."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pipeline.markdown.entries import render_entry
from schemas.entry import Source
from tests.support.builders.entries import noted

_START = datetime(2020, 1, 1, 8, tzinfo=UTC)
_DAILY = 10


def empty_workspace(root: Path) -> Path:
    """A workspace in which nothing has been done."""
    (root / "memory").mkdir(parents=True)
    (root / "memory.toml").write_text('timezone = "UTC"\n')
    return root


def many_entries(root: Path, number: int) -> Path:
    """Ten entries a day, of one session; each replaces one of the day before."""
    empty_workspace(root)
    for day in (_START + timedelta(days=days) for days in range(number // _DAILY)):
        entries = (_entry(day, place) for place in range(_DAILY))
        (root / "memory" / f"{day:%Y-%m-%d}.md").write_text(f"# {day:%Y-%m-%d}\n\n" + "\n".join(entries))
    return root


def an_entry_after(name: str) -> str:
    """An entry of later that replaces another one."""
    return render_entry(noted("DECISION-20991231-thing", date=_START.replace(year=2099), supersedes=(name,)).entry)


def facts_of_others(root: Path, lines: Sequence[str]) -> Path:
    """Lines of facts that nobody vouches for."""
    (root / "memory" / "notes.md").write_text("## Retain\n" + "".join(f"- {line}\n" for line in lines))
    return root


def _entry(day: datetime, place: int) -> str:
    source = Source(
        session_id=f"s-{day:%Y%m%d}", session_path="memory:s.jsonl", message_range=(4, 7), entry_ids=("s-4",)
    )
    before = f"DECISION-{day - timedelta(days=1):%Y%m%d}-thing-{place}"
    name, moment = f"DECISION-{day:%Y%m%d}-thing-{place}", day + timedelta(minutes=place)
    return render_entry(noted(name, date=moment, source=source, supersedes=(before,)).entry)
