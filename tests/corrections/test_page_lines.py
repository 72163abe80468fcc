"""Lines of ours in MEMORY.md that a person takes off, or pins, and the way back."""

from dataclasses import replace
from datetime import timedelta

import pytest

from pipeline.corrections.forget_topic import forget_topic, topic
from pipeline.corrections.page_lines import edit_line, editable_lines
from pipeline.corrections.undo import undo
from pipeline.errors import NothingToUndo
from pipeline.errors.service import PageOutdated
from pipeline.events import Event
from pipeline.markdown.blocks import block_names
from pipeline.markdown.splice import without_block
from schemas.correction import LineEdit
from tests.corrections.test_adopt_and_runs import worked
from tests.support.workspaces.adoption_desk import Beside, Desk


@pytest.fixture
def written(desk: Desk) -> Desk:
    """A page with a line of ours."""
    worked(desk)
    return desk


def edited(desk: Desk, edit: LineEdit) -> str:
    """Edit the line; the run."""
    line = editable_lines(desk.page)["i-one"]
    return edit_line(desk.bench.engine, line.name, line.text, edit).run_id


def work_later(desk: Desk) -> list[str]:
    """What the job finds gone, in its runs of half a day later."""
    desk.bench.events.clear()
    desk.bench.clock.move(timedelta(hours=12))
    assert desk.bench.run_due()
    return [str(fields["item"]) for event, fields in desk.bench.events if event is Event.REMOVED_BY_PERSON]


@pytest.mark.parametrize("later", [False, True])
def test_a_line_that_was_taken_off(written: Desk, *, later: bool) -> None:
    """It goes, and does not come back by itself; after the undo it stands where it stood, and is kept up."""
    before = written.page
    run_id = edited(written, LineEdit.TAKE_OFF)
    assert without_block(before, "i-one") == written.page
    assert b"- MEMORY.md#i-one " in written.bench.pages()["memory/forgotten.md"]
    if later:
        assert [] == work_later(written)
        assert "i-one" not in block_names(written.page)
    assert ("i-one",) == undo(written.bench.engine, run_id).restored
    assert later or before == written.page
    assert b"i-one" not in written.bench.pages()["memory/forgotten.md"]
    assert [] == work_later(written)
    assert 1 == written.page.count(b"said twice")
    with pytest.raises(NothingToUndo):
        undo(written.bench.engine, run_id)


def test_a_pinned_line(written: Desk) -> None:
    """It says so, and is the person's: the job leaves it as it is. It can be unpinned, and the undo does so too."""
    before = written.page
    run_id = edited(written, LineEdit.PIN)
    assert b"said twice (pinned) <!--" in written.page
    assert [] == work_later(written)
    assert 1 == written.page.count(b"said twice")
    unpinned = edited(written, LineEdit.UNPIN)
    assert b"(pinned)" not in written.page
    undo(written.bench.engine, unpinned)
    assert b"said twice (pinned) <!--" in written.page
    undo(written.bench.engine, run_id)
    assert before.count(b"\n") == written.page.count(b"\n")
    assert b"(pinned)" not in written.page


@pytest.mark.parametrize("later", [False, True])
def test_a_pinned_line_that_was_taken_off(written: Desk, *, later: bool) -> None:
    """The undo brings it back pinned, also where a person has written something meanwhile."""
    edited(written, LineEdit.PIN)
    before, run_id = written.page, edited(written, LineEdit.TAKE_OFF)
    written.write(written.page + b"\nA line of mine.\n" * later)
    assert ("i-one",) == undo(written.bench.engine, run_id).restored
    assert b"said twice (pinned) <!--" in written.page
    assert later or before == written.page
    assert [] == work_later(written)


def test_a_pin_of_a_line_that_has_been_forgotten(written: Desk) -> None:
    """Nothing of it is left to be taken back."""
    run_id = edited(written, LineEdit.PIN)
    forget_topic(written.bench.engine, topic(["twice"]))
    with pytest.raises(NothingToUndo, match="forgotten"):
        undo(written.bench.engine, run_id)


def test_a_pin_that_was_killed_before_its_end(written: Desk) -> None:
    """It is taken back as any other."""
    before, run_id = written.page, edited(written, LineEdit.PIN)
    killed = "UPDATE runs SET ended = NULL, ending = NULL, outcome = NULL WHERE id = ?"
    written.bench.engine.ledger.store.write(killed, (run_id,))
    assert ("i-one",) == undo(written.bench.engine, run_id).restored
    assert before == written.page


def test_a_mark_without_a_blank_before_it(written: Desk) -> None:
    """As a program leaves it that tidies files: the line is pinned and unpinned as any other."""
    before = written.page
    written.write(before.replace(b"twice <!--", b"twice<!--"))
    edited(written, LineEdit.PIN)
    assert before.replace(b"twice <!--", b"twice (pinned) <!--") == written.page
    edited(written, LineEdit.UNPIN)
    assert before == written.page


@pytest.mark.parametrize("edit", LineEdit)
def test_a_line_that_has_changed(written: Desk, edit: LineEdit) -> None:
    """One that a person has worded anew since, or is wording at this moment, is left alone."""
    theirs = written.page.replace(b"twice", b"often")
    line, engine = editable_lines(written.page)["i-one"], written.bench.engine
    with pytest.raises(PageOutdated):
        edit_line(replace(engine, workspace=Beside(engine.workspace, theirs)), line.name, line.text, edit)
    assert theirs == written.page
    with pytest.raises(PageOutdated):
        edit_line(engine, line.name, line.text, edit)
    assert (theirs, False) == (written.page, "memory/forgotten.md" in written.bench.pages())
    written.write(theirs.replace(b"often", b"twice"))
    assert [] == work_later(written)
