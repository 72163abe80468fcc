"""Whatever people do to pages between the runs, and wherever a run dies: their lines stay, and runs come to rest."""

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.corrections.undo import undo
from pipeline.errors import NothingToUndo, UndoNewestFirst
from pipeline.markdown.blocks import find_blocks
from schemas.settings import Settings
from tests.support.builders.page_jobs import CHAIN
from tests.support.builders.scripted_page import ScriptedPage, names
from tests.support.marks import examples
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.processes.crashes import Crash, CrashingWorkspace, CrashPlan
from tests.support.workspaces.workbench import Workbench, endings

NIGHTS = st.one_of(
    st.tuples(st.just("say"), st.integers(0, 13), st.integers(0, 23)),
    st.tuples(st.just("night"), st.integers(1, 3), st.just(0)),
)
EVENTS = NIGHTS | st.tuples(
    st.sampled_from(["line", "edit", "delete", "crash", "undo"]), st.integers(0, 13), st.integers(0, 99)
)


class World:
    """Two weeks in a workspace: what is said, what a person does to the pages, and nights in which jobs run."""

    def __init__(self, root: Path) -> None:
        start = datetime(2026, 3, 2, tzinfo=UTC)
        clock = FixedClock(start + timedelta(hours=5))
        self.bench = Workbench(root, CHAIN, clock, Settings(start=start))
        self.start, self.number = start, 0
        self.mine: set[str] = set()
        self.deleted: set[tuple[str, str]] = set()
        self.torn = False
        for day in range(0, 12, 2):
            said = [("owner", f"note: at first {day}-{number}.") for number in range(3)]
            self.bench.say(conversation(f"first-{day}", start + timedelta(days=day, hours=9), said))
        self.act("night", 8, 0)

    def act(self, kind: str, place: int, more: int) -> None:
        """One thing that happens."""
        self.number += 1
        if kind == "night":
            self.bench.clock.move(timedelta(days=place))
            assert {"done", "empty"} >= set(endings(self.bench.run_due()))
            self.torn = False
        elif kind == "crash":
            self.crash(place // 2, more % 2)
        elif kind == "undo" and not self.torn:
            self.undo(place * 100 + more)
        elif kind == "say":
            moment = self.start + timedelta(days=place, hours=more)
            self.bench.say(conversation(f"s{self.number}", moment, [("owner", f"note: said {self.number}.")]))
        else:
            self.person(kind, place, more)

    def crash(self, writes: int, part: float) -> None:
        """A night in which the process dies at some write."""
        engine = self.bench.engine
        self.bench.clock.move(timedelta(days=1))
        self.bench.engine = replace(engine, workspace=CrashingWorkspace(engine.workspace, CrashPlan(writes, part)))
        try:
            self.bench.run_due()
        except Crash:
            self.torn = True
        finally:
            self.bench.engine = engine

    def undo(self, place: int) -> None:
        """A run is taken back, if nothing rests on it."""
        runs = self.bench.engine.ledger.runs.latest(limit=1000)
        if runs := [run for run in runs if run.undone is None and run.outcome and run.outcome.paths]:
            with suppress(NothingToUndo, UndoNewestFirst):
                undo(self.bench.engine, runs[place % len(runs)].run_id)

    def person(self, kind: str, place: int, more: int) -> None:
        """A person edits the page of a day or of a week, if it is there."""
        pages = [page for page in self.bench.pages() if page.startswith(("second-brain/", "memory/archive/"))]
        if not pages:
            return
        path = pages[(place * 100 + more) % len(pages)]
        file, line = self.bench.root / path, f"mine-{self.number}."
        data = file.read_bytes()
        items = [
            own_block for own_block in find_blocks(data) if own_block.name not in {"front-matter", "said", "title"}
        ]
        block = items[more % len(items)] if items else None
        if kind == "line" or block is None:
            lines = data.splitlines(keepends=True)
            at = 4 + more % max(1, len(lines) - 4)
            file.write_bytes(b"".join([*lines[:at], line.encode() + b"\n", *lines[at:]]))
            self.mine.add(line)
        elif kind == "edit":
            file.write_bytes(data[: block.start] + b"- " + line.encode() + b" " + data[block.start + 2 :])
            self.mine.add(line)
        elif kind == "delete" and not self.torn and not any(name in block.text for name in self.mine):
            file.write_bytes(data[: block.start] + data[block.end :])
            self.deleted.add((path, block.name))

    def finish(self) -> None:
        """All of it has closed, and has run, what was undone too."""
        self.bench.clock.moment = self.start + timedelta(days=16)
        assert {"done", "empty"} >= set(endings(self.bench.run_due()))
        assert {"done", "empty"} >= set(endings(self.bench.backfill(date(2026, 3, 2), date(2026, 3, 15))))


@given(st.lists(EVENTS, min_size=5, max_size=20))
@settings(max_examples=examples(3), suppress_health_check=[HealthCheck.too_slow])
def test_whatever_people_do_their_lines_stay_and_a_second_run_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, events: list[tuple[str, int, int]]
) -> None:
    """Each line of a person stands where they put it, what they deleted stays away, and nothing is due any more."""
    world = World(tmp_path_factory.mktemp("world"))
    for event in events:
        world.act(*event)
        text = b"".join(page for page in world.bench.pages().values()).decode()
        assert [] == [line for line in world.mine if line not in text]
    world.finish()
    pages = world.bench.pages()
    text = b"".join(pages.values()).decode()
    assert [] == [line for line in world.mine if line not in text]
    assert set() == {(path, name) for path, name in world.deleted if name in names(world.bench, path)}
    assert [] == world.bench.run_due()
    assert [] == world.bench.backfill(date(2026, 3, 2), date(2026, 3, 15))
    assert pages == world.bench.pages()
    world.bench.engine.ledger.store.close()


@given(st.lists(NIGHTS, max_size=12))
@settings(max_examples=examples(3), suppress_health_check=[HealthCheck.too_slow])
def test_night_by_night_is_one_back_fill_of_what_came_in_time(
    tmp_path_factory: pytest.TempPathFactory, events: list[tuple[str, int, int]]
) -> None:
    """The pages of days are those of one back-fill, also with late messages; those of weeks where none came late."""
    world, late = World(tmp_path_factory.mktemp("nights")), False
    for kind, place, more in events:
        late = late or (kind == "say" and world.start + timedelta(days=place, hours=more) < world.bench.clock.moment)
        world.act(kind, place, more)
    world.finish()
    filled = Workbench(tmp_path_factory.mktemp("filled"), CHAIN, world.bench.clock, source=world.bench.source)
    filled.backfill(date(2026, 3, 2), date(2026, 3, 15))
    wanted, pages = filled.pages(), world.bench.pages()
    days = {path for path in {*wanted, *pages} if path.startswith("second-brain/") or not late}
    assert {path: wanted.get(path) for path in days} == {path: pages.get(path) for path in days}
    for bench in (world.bench, filled):
        bench.engine.ledger.store.close()


WANTED = st.lists(
    st.sampled_from(["front-matter", "h:", "a", "b", "c", "d", "a=x", "b=x", "g:", "e", "f"]), unique=True
)
PEOPLE = st.sampled_from([None, "edit", "line", "end", "top", "delete", "crlf"])


@given(st.lists(st.tuples(WANTED, PEOPLE, st.integers(0, 99)), min_size=1, max_size=5), st.sampled_from([0, 6]))
@settings(max_examples=examples(6), suppress_health_check=[HealthCheck.too_slow])
def test_undo_of_all_runs_leaves_what_people_wrote(
    tmp_path_factory: pytest.TempPathFactory, story: list[tuple[list[str], str | None, int]], lines: int
) -> None:
    """Whatever a person does between the runs: all undone, only their lines are left, each as it was."""
    script = ScriptedPage(lines)
    bench = script.bench(tmp_path_factory.mktemp("undo"))
    runs, mine = [], list[bytes]()
    for wanted, kind, place in story:
        unique = {name.partition("=")[0]: name for name in wanted}
        runs.append(script.step(bench, *sorted(unique.values(), key=lambda name: name != "front-matter")).run_id)
        mine += person(bench, kind, place)
    for run_id in reversed(runs):
        if bench.engine.ledger.changes.of_run(run_id):
            undo(bench.engine, run_id)
        text = b"".join(bench.pages().values())
        assert [] == [line for line in mine if line not in text]
    ours = [
        block.name
        for path, page in bench.pages().items()
        for block in find_blocks(page)
        if path != "memory/forgotten.md" and block.intact
    ]
    assert [] == ours
    bench.engine.ledger.store.close()


def person(bench: Workbench, kind: str | None, place: int) -> list[bytes]:
    """A person does something to one of the pages; the lines that are theirs by it."""
    pages = [path for path in bench.pages() if path.startswith("memory/archive/")]
    if not pages or not kind:
        return []
    file, line = bench.root / pages[place % len(pages)], f"mine-{bench.clock.moment:%H}.".encode()
    data = file.read_bytes()
    blocks = [block for block in find_blocks(data) if block.intact and block.name != "front-matter"]
    block = blocks[place % len(blocks)] if blocks else None
    if kind == "crlf":
        file.write_bytes(data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    elif kind == "delete" and block:
        file.write_bytes(data[: block.start] + data[block.end :])
    elif kind == "edit" and block:
        at = data.index(b" <!--", block.start)
        file.write_bytes(data[:at] + line + data[at:])
    elif kind == "line" and block:
        file.write_bytes(data[: block.start] + line + b"\n" + data[block.start :])
    elif kind == "top":
        file.write_bytes(data if data.startswith(b"---") else line + b"\n" + data)
    else:
        file.write_bytes(data + line)
    return [line] if line in file.read_bytes() else []
