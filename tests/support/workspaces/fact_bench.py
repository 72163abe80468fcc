"""A workspace of the job that retains facts, in Warsaw, and what stands in its pages."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from jobs import retain
from pipeline.facts.sections import day_of, facts_in
from schemas.fact import Fact
from schemas.settings import Settings
from schemas.transcript import Session
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
FIRST = date(2026, 3, 2)
START = datetime(2026, 3, 1, 23, tzinfo=UTC)
NOON = datetime(2026, 3, 6, 11, tzinfo=UTC)
"""When all days of the tests are over."""


def opened(new_bench: NewBench, **fields: object) -> Workbench:
    """A workspace in Warsaw."""
    bench = new_bench(jobs=(retain.JOB,), settings=Settings(timezone="Europe/Warsaw", start=START), **fields)
    bench.clock.moment = NOON
    return bench


def talk(bench: Workbench, *texts: str, day: int = 0, name: str = "") -> Session:
    """A session of the owner, so many days after the first, to which the assistant says nothing of its own."""
    turns = [turn for text in texts for turn in (("owner", text), ("assistant", "Noted."))]
    at = datetime(FIRST.year, FIRST.month, FIRST.day, 9, tzinfo=UTC) + timedelta(days=day)
    session = conversation(name or f"s{day}", at, turns)
    bench.say(session)
    return session


def page(day: int = 0) -> str:
    """The path of the facts of a day."""
    return f"memory/retain/{FIRST + timedelta(days=day)}.md"


def facts(bench: Workbench) -> list[Fact]:
    """All facts of the job's pages, as a reader sees them."""
    known, read = bench.engine.ledger.changes, list[Fact]()
    for path, data in bench.pages().items():
        if path.startswith("memory/retain/"):
            ours = {(block.name, block.digest) for block in known.standing_in(path)}
            read += facts_in(data, path, ours, day_of(path) or FIRST)
    return read


def lose_the_ledger(bench: Workbench) -> Workbench:
    """The same workspace without what is derived."""
    bench.engine.ledger.store.close()
    for file in (bench.root / ".memory").glob("state.db*"):
        file.unlink()
    return bench.reopen()


def appended(bench: Workbench, path: str, text: str) -> None:
    """Another program appends to a file."""
    file: Path = bench.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as stream:
        stream.write(text)
