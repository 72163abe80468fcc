"""`memory adopt` in the engine: what is a person's, moved to the archive and back, and nothing lost on the way."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jobs.weekly_compound import JOB as COMPOUND
from pipeline.adoption import Move, adopt, persons_blocks, plan, standing, standing_after
from pipeline.adoption_errors import ChangedSince, NothingToAdopt, UnknownBlock
from pipeline.errors import Held, NothingToUndo, UndoNewestFirst
from pipeline.events import Event
from pipeline.job import Draft, ItemDraft, Job, Reads, Run, Schedule, Target
from pipeline.lease import Lease
from pipeline.markdown.blocks import find_blocks, seal_item, split_lines
from pipeline.markdown.items import persons_part
from pipeline.testing.crashes import Crash, CrashingWorkspace, CrashPlan
from pipeline.testing.memory_source import conversation
from pipeline.testing.workbench import Workbench
from pipeline.undo import undo
from pipeline.workspace import Workspace
from schemas import hot_page

NewBench = Callable[..., Workbench]
MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)
ARCHIVE = "memory/archive/adopted-2026-03-04.md"
TITLE = "# Moved out of MEMORY.md on 2026-03-04\n"

OURS = seal_item("h-one", "## Ours").encode()
ITEM = seal_item("i-one", "- a fact\n  said twice").encode()
EDITED = ITEM.replace(b"twice", b"often")
THREE = b"# One\nfirst\n\n# Two\nsecond\n\n# Three\nthird\n"


def page(run: Run) -> list[Draft]:
    """Two items that are on the page whatever is said, and one that counts."""
    told = ItemDraft("count", f"- {len(run.transcripts)} sessions until {run.window.end:%H:%M}")
    return [ItemDraft("h-one", "## Ours"), ItemDraft("i-one", "- a fact\n  said twice"), told]


JOB = Job("page", "counts", Schedule("0 */6 * * *"), Reads(transcripts=True), Target("MEMORY.md"), page, locks=("all",))


@dataclass
class Desk:
    """A workspace with the page's job."""

    bench: Workbench

    @property
    def page(self) -> bytes:
        """The page as it stands."""
        return self.bench.pages().get("MEMORY.md", b"")

    @property
    def archive(self) -> str:
        """What stands in archives."""
        return self.archived.decode(errors="replace")

    @property
    def archived(self) -> bytes:
        """Its bytes."""
        return b"".join(data for path, data in self.bench.pages().items() if path.startswith("memory/archive/adopted-"))

    def write(self, data: bytes) -> None:
        """What a person does with an editor."""
        (self.bench.root / "MEMORY.md").write_bytes(data)

    def adopt(self, *numbers: int) -> str:
        """Move blocks; the run."""
        return adopt(self.bench.engine, numbers).run_id

    def crash(self, what: Callable[[], object], writes: int, part: float) -> bool:
        """Do something until the plan's crash; whether it came."""
        engine = self.bench.engine
        self.bench.engine = replace(engine, workspace=CrashingWorkspace(engine.workspace, CrashPlan(writes, part)))
        try:
            what()
        except Crash:
            return True
        finally:
            self.bench.engine = engine
        return False


@pytest.fixture
def desk(new_bench: NewBench) -> Desk:
    """The page holds three blocks of a person."""
    found = Desk(new_bench(jobs=(JOB,)))
    found.write(THREE)
    return found


def lines(*texts: bytes) -> Counter[bytes]:
    """The lines of texts that are not blank; a CR at the very end is one of a line end once a line follows."""
    return Counter(line.body.rstrip(b"\r") for text in texts for line in split_lines(text) if line.body.strip())


def titles(data: bytes) -> list[str]:
    """The blocks of a page by their headings."""
    return [block.title for block in persons_blocks(data)]


def test_the_limits_are_those_of_the_job() -> None:
    """The page that room is made on is the page that the weekly job writes."""
    assert COMPOUND.writes.family == hot_page.PATH


def test_blocks_are_what_stands_under_each_heading(desk: Desk) -> None:
    """With their lines and characters, and how much room they leave for us."""
    desk.write(b"intro\n\n" + OURS + ITEM + b"mine\n" + "# Żółć\n项目\n".encode() + b"last" * 5000)
    found = standing(desk.bench.engine)
    told = [(block.title, block.headed, block.line, block.lines, block.begins[:8]) for block in found.blocks]
    assert [("", False, 1, 2, "intro"), ("Ours", False, 6, 1, "mine"), ("Żółć", True, 7, 3, "项目")] == told
    assert (5, 20000 + 6 + 5 + 7 + 3) == (found.lines, found.characters)
    assert (195, 0) == (found.room_lines, found.room_characters)
    assert (198, 20000 - 11) == _room(plan(desk.bench.engine, [3]))


def _room(move: Move) -> tuple[int, int]:
    after = standing_after(move)
    return after.room_lines, after.room_characters


def test_moving_blocks(desk: Desk) -> None:
    """They stand in the archive of the local day with the lines they came from, and are gone from the page."""
    run_id = desk.adopt(1, 3)
    assert b"# Two\nsecond\n\n" == desk.page
    first = f"\n<!-- lines 1-3 of MEMORY.md, moved by run {run_id} -->\n# One\nfirst\n\n"
    assert f"{TITLE}{first}\n<!-- lines 7-8 of MEMORY.md, moved by run {run_id} -->\n# Three\nthird\n" == desk.archive
    assert [] == desk.bench.engine.ledger.changes.intended()


def test_a_plan_changes_nothing(desk: Desk) -> None:
    """It takes no lock, and what it shows is what is done."""
    before = desk.bench.pages()
    with desk.bench.engine.locks.hold(["page"], "other", MORNING):
        move = plan(desk.bench.engine, [2])
    assert before == desk.bench.pages()
    run_id = desk.adopt(2)
    assert (move.page[1], move.archived[1].decode().replace("RUN", run_id)) == (desk.page, desk.archive)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        (b"no heading\nat all", [1]),
        (b"# A\r\none\r\n\r\n# A\r\ntwo\r\n# A\r\n", [2]),
        (b"# A\r\none\r\n# B\nmixed", [1]),
        (b"# A\none", [1]),
        (b"# A\n# B\n# C", [3]),
        ("# Pamięć\nżółć\n# 项目\n决定\n# 專案\n".encode(), [2, 3]),
        (b"```\n# A\n```\n# B\n```\n# never closed\n", [2]),
        (b"# A\n\n" + OURS + ITEM + b"\n# B\nb\n", [2]),
        (b"# A\na\n" + ITEM + b"b\n" + OURS + b"c", [1, 2]),
        (b"# A\n" + EDITED + b"# B\n", [1]),
        (b"".join(b"## %d\nline\n\n" % (number % 50) for number in range(181)), [1, *range(7, 150)]),
    ],
    ids=["none", "crlf", "mixed", "open", "bare", "scripts", "fences", "beside", "around", "edited", "543"],
)
def test_undo_gives_the_same_bytes(desk: Desk, text: bytes, numbers: list[int]) -> None:
    """Whatever the page is like: nothing of it is lost on the way, ours stays, and back come the bytes it had."""
    desk.write(text)
    before = desk.bench.pages()
    run_id = desk.adopt(*numbers)
    assert lines(text) <= lines(desk.page, desk.archived)
    assert [block for block in _ours(text) if block not in _ours(desk.page)] == []
    undo(desk.bench.engine, run_id)
    assert before == desk.bench.pages()


def _ours(data: bytes) -> list[str]:
    return [block.text for block in find_blocks(data) if block.item and block.intact]


def test_a_whole_page_may_go(desk: Desk) -> None:
    """An empty file is left, because somebody reads it."""
    run_id = desk.adopt(1, 2, 3)
    assert b"" == (desk.bench.root / "MEMORY.md").read_bytes()
    undo(desk.bench.engine, run_id)
    assert THREE == desk.page


def test_the_archive_of_a_day_grows(desk: Desk) -> None:
    """A second move is put behind the first, and each goes back alone, the newest first."""
    first, second = desk.adopt(1), desk.adopt(2)
    assert 2 == desk.archive.count("moved by run")
    undo(desk.bench.engine, second)
    assert first in desk.archive
    undo(desk.bench.engine, first)
    assert {"MEMORY.md": THREE} == desk.bench.pages()


def test_moves_of_equal_text_come_back_newest_first(desk: Desk) -> None:
    """Else a copy in the page could be of either, and one of both would be in neither file."""
    desk.write(b"# H\n# H\n# K\nlast\n")
    first, second = desk.adopt(1), desk.adopt(1)
    desk.write(desk.page + b"new\n")
    before = desk.bench.pages()
    with pytest.raises(UndoNewestFirst, match=f"`memory undo {second}`"):
        undo(desk.bench.engine, first)
    assert before == desk.bench.pages()
    for run_id in (second, first):
        undo(desk.bench.engine, run_id)
    assert lines(b"# H\n# H\n# K\nlast\nnew\n") == lines(desk.page)
    assert "" == desk.archive


def test_a_move_that_failed_or_was_undone_stands_in_no_ones_way(desk: Desk) -> None:
    """Only what stands in the archive has to come back first."""
    engine = desk.bench.engine
    run_id = desk.adopt(1)
    undo(engine, desk.adopt(1))
    with pytest.raises(ChangedSince):
        adopt(replace(engine, workspace=Beside(engine.workspace, b"# Other\n" + desk.page)), [1])
    undo(engine, run_id)
    assert lines(b"# Other\n" + THREE) == lines(desk.page)


def test_an_archive_that_was_there_is_kept(desk: Desk) -> None:
    """Also one without a final newline, and one that holds nothing but the heading we would give it."""
    for old in (b"mine\r\nopen", b"", TITLE.encode()):
        (desk.bench.root / ARCHIVE).parent.mkdir(parents=True, exist_ok=True)
        (desk.bench.root / ARCHIVE).write_bytes(old)
        run_id = desk.adopt(2)
        assert desk.archive.startswith(old.decode())
        undo(desk.bench.engine, run_id)
        assert {ARCHIVE: old, "MEMORY.md": THREE} == desk.bench.pages()


def test_undo_beside_what_came_since(desk: Desk) -> None:
    """The page grew and the archive's copy was edited: the text comes back in its place, the copy is left and named."""
    run_id = desk.adopt(1, 2)
    desk.write(b"new\n\n" + desk.page.replace(b"third", b"changed"))
    (desk.bench.root / ARCHIVE).write_text(desk.archive.replace("second", "second, edited"))
    undone = undo(desk.bench.engine, run_id)
    assert b"new\n\n# One\nfirst\n\n# Two\nsecond\n\n# Three\nchanged\n" == desk.page
    assert ("MEMORY.md, lines 1-6",) == undone.restored
    assert (f"{ARCHIVE}, lines 1-6",) == undone.left
    assert "second, edited" in desk.archive


def test_text_that_was_put_back_by_hand(desk: Desk) -> None:
    """Undo does not put it there a second time, and takes the copy out of the archive."""
    run_id = desk.adopt(2)
    desk.write(b"# Two\nsecond\n\n" + desk.page)
    assert () == undo(desk.bench.engine, run_id).restored
    assert {"MEMORY.md": b"# Two\nsecond\n\n# One\nfirst\n\n# Three\nthird\n"} == desk.bench.pages()


def test_undo_when_the_page_is_gone(desk: Desk) -> None:
    """The text comes back in a new page."""
    run_id = desk.adopt(2)
    (desk.bench.root / "MEMORY.md").unlink()
    undo(desk.bench.engine, run_id)
    assert {"MEMORY.md": b"# Two\nsecond\n\n"} == desk.bench.pages()


def test_undo_once(desk: Desk) -> None:
    """A second undo says that there is nothing left to do."""
    run_id = desk.adopt(2)
    undo(desk.bench.engine, run_id)
    with pytest.raises(NothingToUndo, match="has been undone"):
        undo(desk.bench.engine, run_id)


@pytest.mark.parametrize("data", [None, b"", b"\n\n", OURS + ITEM])
def test_nothing_to_move(desk: Desk, data: bytes | None) -> None:
    """Without a page, and without a line of a person in it, that is said."""
    (desk.bench.root / "MEMORY.md").unlink()
    if data is not None:
        desk.write(data)
    with pytest.raises(NothingToAdopt):
        standing(desk.bench.engine)
    with pytest.raises(NothingToAdopt):
        desk.adopt(1)


def test_a_number_that_names_nothing(desk: Desk) -> None:
    """Nothing is moved when one of the numbers is wrong, and no run is noted."""
    with pytest.raises(UnknownBlock, match="no block 0, 4: its blocks are numbered from 1 to 3"):
        desk.adopt(0, 1, 4)
    assert {"MEMORY.md": THREE} == desk.bench.pages()
    assert [] == desk.bench.engine.ledger.runs.latest()


def test_a_page_that_changed_since_it_was_listed(desk: Desk) -> None:
    """Its numbers may name something else by now."""
    seen = standing(desk.bench.engine).seen
    desk.write(b"# New\n" + THREE)
    with pytest.raises(ChangedSince):
        adopt(desk.bench.engine, [1], seen)
    assert adopt(desk.bench.engine, [1], standing(desk.bench.engine).seen).move.blocks[0].title == "New"


def test_the_writer_of_the_page_is_at_work(desk: Desk) -> None:
    """Its locks are needed to move and to take back."""
    run_id = desk.adopt(1)
    for name in ("page", "all"):
        with desk.bench.engine.locks.hold([name], "other", MORNING):
            with pytest.raises(Held, match=f"{name} is at work elsewhere"):
                desk.adopt(1)
            with pytest.raises(Held, match=f"{name} is at work elsewhere"):
                undo(desk.bench.engine, run_id)


class Beside(Workspace):
    """A workspace in which somebody writes to the page just before we do."""

    def __init__(self, real: Workspace, data: bytes) -> None:
        super().__init__(real.root)
        self._data = data

    @contextmanager
    def lease(self, path: str) -> Iterator[Lease]:
        """The right to write one file."""
        if path == "MEMORY.md":
            (self.root / path).write_bytes(self._data)
        with super().lease(path) as lease:
            yield lease


@pytest.mark.parametrize("written", [b"# Other\n" + THREE, THREE.replace(b"second", b"another")])
def test_a_page_that_changes_at_that_moment(desk: Desk, written: bytes) -> None:
    """What was written stays, nothing is moved, the archive's copy is taken out again."""
    engine = desk.bench.engine
    with pytest.raises(ChangedSince):
        adopt(replace(engine, workspace=Beside(engine.workspace, written)), [2])
    assert {"MEMORY.md": written} == desk.bench.pages()
    (record,) = engine.ledger.runs.latest()
    assert record.outcome
    assert ("failed", ()) == (record.outcome.ending.value, record.outcome.written)
    assert [] == [*engine.ledger.changes.intended(), *engine.ledger.changes.of_run(record.run_id)]


def test_lines_appended_at_that_moment(desk: Desk) -> None:
    """They are kept behind the page, and stay there when the move is taken back."""
    engine = desk.bench.engine
    run_id = adopt(replace(engine, workspace=Beside(engine.workspace, THREE + b"more\n")), [2]).run_id
    assert b"# One\nfirst\n\n# Three\nthird\nmore\n" == desk.page
    undo(engine, run_id)
    assert {"MEMORY.md": THREE + b"more\n"} == desk.bench.pages()


@pytest.mark.parametrize("old", [None, b"# old\nopen"], ids=["new archive", "old archive"])
@pytest.mark.parametrize("part", [0, 0.01, 0.5, 0.99, 1])
@pytest.mark.parametrize("writes", [0, 1])
def test_a_crash_loses_and_doubles_nothing(desk: Desk, old: bytes | None, part: float, writes: int) -> None:
    """At each write and at any byte of it: text stands in one of both files, once the next command has tidied up."""
    (desk.bench.root / ARCHIVE).parent.mkdir(parents=True)
    if old:
        (desk.bench.root / ARCHIVE).write_bytes(old)
    assert desk.crash(lambda: desk.adopt(2), writes, part)
    assert lines(THREE) <= lines(desk.page, desk.archived)
    desk.adopt(1)
    once = Counter({line: number for line, number in lines(desk.page, desk.archived).items() if line[:4] != b"<!--"})
    assert lines(THREE, old or TITLE.encode()) == once
    for record in desk.bench.engine.ledger.runs.latest():
        with suppress(NothingToUndo):
            undo(desk.bench.engine, record.run_id)
    assert {"MEMORY.md": THREE} | ({ARCHIVE: old} if old else {}) == desk.bench.pages()
    assert [] == desk.bench.engine.ledger.changes.intended()


@pytest.mark.parametrize("part", [0, 1])
@pytest.mark.parametrize("writes", [0, 1])
def test_a_crash_in_an_undo(desk: Desk, part: float, writes: int) -> None:
    """The undo is asked for again, and ends as if nothing had been."""
    run_id = desk.adopt(1, 3)
    desk.write(b"new\n" + desk.page)
    assert desk.crash(lambda: undo(desk.bench.engine, run_id), writes, part)
    assert () == undo(desk.bench.engine, run_id).left
    assert {"MEMORY.md": b"new\n" + THREE} == desk.bench.pages()


@pytest.mark.parametrize("part", [0, 1])
@pytest.mark.parametrize("edit", [b"second", b"third"])
def test_a_crash_and_then_a_person_and_a_run(desk: Desk, part: float, edit: bytes) -> None:
    """The page was edited and rendered before anybody tidied up: still nothing of it is in neither file.

    What was edited just there may have been moved or not, so the archive's copy stays: one too many rather than none.
    """
    assert desk.crash(lambda: desk.adopt(2), 1, part)
    edited = desk.page.replace(edit, b"edited")
    desk.write(edited)
    desk.bench.say(conversation("s1", MORNING, [("owner", "hello")]))
    desk.bench.run_due()
    desk.adopt(1)
    assert lines(edited, b"# Two\nsecond\n" if part else b"") <= lines(desk.page, desk.archived)
    copies = 2 if (part, edit) == (0, b"second") else 1
    assert copies == (desk.page + desk.archived).count(b"# Two\n")


def worked(desk: Desk) -> list[str]:
    """What the job finds gone from its page, after a run with something new to say."""
    desk.bench.events.clear()
    desk.bench.say(
        conversation(f"s{next(NUMBERS)}", desk.bench.clock.moment - timedelta(hours=7), [("owner", "hello")])
    )
    assert any(outcome.paths for outcome in desk.bench.run_due())
    return [str(fields["item"]) for event, fields in desk.bench.events if event is Event.REMOVED_BY_PERSON]


NUMBERS = count(1)


def test_an_item_that_was_moved_is_not_taken_for_removed(desk: Desk) -> None:
    """One that a person had edited goes with its block; the others stay, and nothing comes to stand in forgotten.md."""
    worked(desk)
    desk.write(desk.page.replace(b"said twice", b"said often") + b"\n# More\n")
    desk.bench.clock.move(timedelta(hours=12))
    assert [] == worked(desk)
    theirs = desk.page
    run_id = desk.adopt(4)
    assert "said often" in desk.archive
    assert {"h-one", "count"} == {block.name for block in find_blocks(desk.page)}
    desk.bench.clock.move(timedelta(hours=12))
    assert [] == worked(desk)
    assert b"said twice" in desk.page
    undo(desk.bench.engine, run_id)
    assert titles(theirs) == titles(desk.page)
    desk.bench.clock.move(timedelta(hours=12))
    assert [] == worked(desk)
    assert 1 == desk.page.count(b"said often")
    assert "memory/forgotten.md" not in desk.bench.pages()


def test_an_edited_item_that_came_back_is_watched_again(desk: Desk) -> None:
    """Deleted after the move was taken back, it is noticed as deleted."""
    worked(desk)
    desk.write(desk.page.replace(b"said twice", b"said often"))
    undo(desk.bench.engine, desk.adopt(4))
    assert b"said often" in desk.page
    desk.write(
        b"".join(part for part in desk.page.splitlines(keepends=True) if b"fact" not in part and b"often" not in part)
    )
    desk.bench.clock.move(timedelta(hours=12))
    assert ["i-one"] == worked(desk)


def test_a_run_can_be_undone_though_text_was_moved_since(desk: Desk) -> None:
    """Nothing of ours rests on what a person moved."""
    worked(desk)
    (record, *_) = (each for each in desk.bench.engine.ledger.runs.latest() if each.outcome and each.outcome.paths)
    run_id = desk.adopt(1)
    undo(desk.bench.engine, record.run_id)
    assert b"# Two\nsecond\n\n# Three\nthird\n" == desk.page
    undo(desk.bench.engine, run_id)
    assert THREE == desk.page


LINES = [
    b"text", b"text\r", b"# One", b"## Two", "### Pamięć".encode(), "# 项目\r".encode(), b"", b"", b"\r", b" ", b"===",
    b"---", b"```", b"- item", b"  more", b"<!-- a", b"-->", b"key: value", b"\xff\xfe", b"a\rb", OURS.strip(),
    ITEM.strip(), EDITED.strip(), ITEM.strip().replace(b"\n", b"\r\n") + b"\r", b"- id: DECISION-1", b"- check: 123456",
    seal_item("i-two", "- two").encode().strip() + b" added",
]  # fmt: skip
PAGES = st.lists(st.sampled_from(LINES), min_size=1, max_size=25).map(b"\n".join)


@given(PAGES | st.binary(max_size=60))
def test_blocks_and_our_items_are_the_page(data: bytes) -> None:
    """The blocks are together the person's part, in order; beside them stand our unchanged items and blank lines."""
    blocks = persons_blocks(data)
    spans = [span for block in blocks for span in block.spans]
    assert sorted(spans) == spans
    assert list(range(1, len(blocks) + 1)) == [block.number for block in blocks]
    theirs = b"".join(data[start:end] for start, end in spans)
    assert lines(persons_part(data)) == lines(theirs)
    rest = lines(data) - lines(theirs)
    assert lines(*(data[block.start : block.end] for block in find_blocks(data) if block.item and block.intact)) >= rest


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=PAGES, chosen=st.lists(st.integers(0, 24), min_size=1, max_size=5))
def test_any_move_and_back(desk: Desk, data: bytes, chosen: list[int]) -> None:
    """For any page and any choice: nothing is in neither file, ours stays, and undo gives the same bytes."""
    desk.write(data)
    blocks = persons_blocks(data)
    if not blocks:
        return
    run_id = desk.adopt(*{number % len(blocks) + 1 for number in chosen})
    assert lines(data) <= lines(desk.page, desk.archived)
    assert _ours(data) == _ours(desk.page)
    undo(desk.bench.engine, run_id)
    assert {"MEMORY.md": data} == desk.bench.pages()


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=PAGES, later=PAGES, chosen=st.lists(st.integers(0, 24), min_size=1, max_size=5), inside=st.booleans())
def test_any_move_and_back_beside_an_editor(
    desk: Desk, data: bytes, later: bytes, chosen: list[int], *, inside: bool
) -> None:
    """Whatever a person writes between the move and its undo: all of it stands in the page, and all that was moved."""
    desk.write(data)
    blocks = persons_blocks(data)
    if not blocks:
        return
    move = adopt(desk.bench.engine, {number % len(blocks) + 1 for number in chosen})
    edited = later + b"\n" + desk.page if inside else later
    desk.write(edited)
    undo(desk.bench.engine, move.run_id)
    assert lines(edited) <= lines(desk.page)
    assert all(lines(piece.text) <= lines(desk.page) for piece in move.move.pieces)
    assert "" == desk.archive
    Path(desk.bench.root / "MEMORY.md").unlink()
