"""Moves that meet a person, another program, or the end of the process, and any page there may be."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.corrections.adopt import adopt, persons_blocks
from pipeline.corrections.undo import undo
from pipeline.errors import NothingToUndo
from pipeline.errors.corrections import ChangedSince
from pipeline.markdown.blocks import find_blocks, seal_item, split_lines
from pipeline.markdown.items import persons_part
from tests.support.marks import examples
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.adoption_desk import EDITED, ITEM, OURS, THREE, Beside, Desk
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)
ARCHIVE = "memory/archive/adopted-2026-03-04.md"
TITLE = "# Moved out of MEMORY.md on 2026-03-04\n"


def lines(*texts: bytes) -> Counter[bytes]:
    """The lines of texts that are not blank; a CR at the very end is one of a line end once a line follows."""
    return Counter(line.body.rstrip(b"\r") for text in texts for line in split_lines(text) if line.body.strip())


def _ours(data: bytes) -> list[str]:
    return [block.text for block in find_blocks(data) if block.item and block.intact]


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
    assert [] == [*engine.ledger.changes.intended_changes(), *engine.ledger.changes.of_run(record.run_id)]


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
    assert [] == desk.bench.engine.ledger.changes.intended_changes()


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


@settings(max_examples=examples(10), suppress_health_check=[HealthCheck.function_scoped_fixture])
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


@settings(max_examples=examples(20), suppress_health_check=[HealthCheck.function_scoped_fixture])
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
