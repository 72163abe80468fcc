"""A job that renders whatever a test wants on a page, and what a person does to that page."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pipeline.drafts import Draft, ItemDraft
from pipeline.job import Job, Reads, Run, Schedule, Target
from pipeline.markdown.blocks import find_blocks
from schemas.outcome import Outcome
from schemas.settings import Settings
from tests.support.ports.clock import FixedClock
from tests.support.workspaces.workbench import Workbench

START = datetime(2026, 3, 2, tzinfo=UTC)
FIRST, SECOND, THIRD = (f"memory/archive/2026-03-02{volume}.md" for volume in ("", "-2", "-3"))
"""The volumes of the page."""


class ScriptedPage:
    """A page that is rendered every hour of one day; `seen` are the pages as the job saw them.

    Each of `meanwhile` is what somebody else does while the job is at work, once.
    """

    def __init__(self, lines: int = 0) -> None:
        """With `lines`, the page goes on in volumes of so many."""
        self.items: list[ItemDraft] = []
        self.seen: list[str] = []
        self.meanwhile: list[Callable[[], object]] = []
        overflow = "memory/archive/{day}-{volume}.md" if lines else ""
        target = Target("memory/archive/{day}.md", overflow=overflow, lines=lines)
        self.job = Job("page", "a page of what is wanted", Schedule("0 * * * *"), Reads(), target, self._run)

    def _run(self, run: Run) -> Sequence[Draft]:
        self.seen.append(run.written.current)
        if self.meanwhile:
            self.meanwhile.pop(0)()
        return self.items

    def bench(self, root: Path) -> Workbench:
        """A workspace in UTC on which the job's first window closes in an hour."""
        return Workbench(root, (self.job,), FixedClock(START + timedelta(minutes=5)), Settings(start=START))

    def step(self, bench: Workbench, *names: str) -> Outcome:
        """An hour later, with these items; see `item`."""
        self.items = [item(name) for name in names]
        bench.clock.move(timedelta(hours=1))
        (outcome,) = bench.run_due()
        return outcome


def item(name: str) -> ItemDraft:
    """A line `name`, or `name=text`; with `:` at the end, a heading."""
    if name == "front-matter":
        return ItemDraft(name, "kind: page")
    word, _, text = name.partition("=")
    return ItemDraft(word.rstrip(":"), f"## {word[:-1]}" if word.endswith(":") else f"- {text or word}.")


def names(bench: Workbench, path: str = FIRST) -> list[str]:
    """The names of the items in a file."""
    return [block.name for block in find_blocks(bench.pages().get(path, b""))]


def edit(bench: Workbench, old: str, new: str, path: str = FIRST) -> None:
    """A person edits a file.

    Raises:
        ValueError: what is to be edited is not there.
    """
    data = (bench.root / path).read_bytes()
    data.index(old.encode())
    (bench.root / path).write_bytes(data.replace(old.encode(), new.encode()))


def cut_out(bench: Workbench, name: str, path: str = FIRST) -> bytes:
    """A person deletes an item; its bytes."""
    data = (bench.root / path).read_bytes()
    (block,) = (block for block in find_blocks(data) if block.name == name)
    (bench.root / path).write_bytes(data[: block.start] + data[block.end :])
    return data[block.start : block.end]
