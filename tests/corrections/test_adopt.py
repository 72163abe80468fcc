"""`memory doctor adopt` in the engine: what is a person's, moved to the archive and back, with nothing lost."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from jobs.weekly_compound import JOB as COMPOUND
from pipeline.corrections.adopt import Move, adopt, part_after, persons_blocks, plan, read_part
from pipeline.corrections.undo import undo
from pipeline.errors import Held, NothingToUndo, UndoNewestFirst
from pipeline.errors.corrections import ChangedSince, NothingToAdopt, UnknownBlock
from pipeline.markdown.blocks import find_blocks, split_lines
from schemas import hot_page
from tests.support.workspaces.adoption_desk import EDITED, ITEM, OURS, THREE, Beside, Desk
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)
ARCHIVE = "memory/archive/adopted-2026-03-04.md"
TITLE = "# Moved out of MEMORY.md on 2026-03-04\n"


def lines(*texts: bytes) -> Counter[bytes]:
    """The lines of texts that are not blank; a CR at the very end is one of a line end once a line follows."""
    return Counter(line.body.rstrip(b"\r") for text in texts for line in split_lines(text) if line.body.strip())


def titles(data: bytes) -> list[str]:
    """The blocks of a page by their headings."""
    return [block.title for block in persons_blocks(data)]


def test_the_limits_are_those_of_the_job() -> None:
    """The page that room is made on is the page that the weekly job writes."""
    assert COMPOUND.writes.family == hot_page.PATH


def test_blocks_are_what_stands_under_every_heading(desk: Desk) -> None:
    """With their lines and characters, and how much room they leave for us."""
    desk.write(b"intro\n\n" + OURS + ITEM + b"mine\n" + "# Żółć\n项目\n".encode() + b"last" * 5000)
    part = read_part(desk.bench.engine)
    actual = [(block.title, block.headed, block.line, block.lines, block.begins[:8]) for block in part.blocks]
    assert [("", False, 1, 2, "intro"), ("Ours", False, 6, 1, "mine"), ("Żółć", True, 7, 3, "项目")] == actual
    assert (5, 20000 + 6 + 5 + 7 + 3) == (part.lines, part.characters)
    assert (195, 0) == (part.room_lines, part.room_characters)
    assert (198, 20000 - 11) == _room(plan(desk.bench.engine, [3]))


def _room(move: Move) -> tuple[int, int]:
    after = part_after(move)
    return after.room_lines, after.room_characters


def test_moving_blocks(desk: Desk) -> None:
    """They stand in the archive of the local day with the lines they came from, and are gone from the page."""
    run_id = desk.adopt(1, 3)
    assert b"# Two\nsecond\n\n" == desk.page
    first = f"\n<!-- lines 1-3 of MEMORY.md, moved by run {run_id} -->\n# One\nfirst\n\n"
    assert f"{TITLE}{first}\n<!-- lines 7-8 of MEMORY.md, moved by run {run_id} -->\n# Three\nthird\n" == desk.archive
    assert [] == desk.bench.engine.ledger.changes.intended_changes()


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
        read_part(desk.bench.engine)
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
    seen = read_part(desk.bench.engine).seen
    desk.write(b"# New\n" + THREE)
    with pytest.raises(ChangedSince):
        adopt(desk.bench.engine, [1], seen)
    assert adopt(desk.bench.engine, [1], read_part(desk.bench.engine).seen).move.blocks[0].title == "New"


def test_the_writer_of_the_page_is_at_work(desk: Desk) -> None:
    """Its locks are needed to move and to take back."""
    run_id = desk.adopt(1)
    for name in ("page", "all"):
        with desk.bench.engine.locks.hold([name], "other", MORNING):
            with pytest.raises(Held, match=f"{name} is at work elsewhere"):
                desk.adopt(1)
            with pytest.raises(Held, match=f"{name} is at work elsewhere"):
                undo(desk.bench.engine, run_id)
