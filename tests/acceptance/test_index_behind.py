"""An index that is older than its files: nothing is told that the files do not say."""

from pathlib import Path

import pytest

from pipeline.workspace.locks import Latch
from schemas.hit import Answer
from tests.support.workspaces.searched import WORDS_ALONE, Searched, new_searched

DAY = "memory/2026-03-01.md"
TEXT = """# 2026-03-01

## Boats

- The red boat leaks at the stern.
- The blue boat is sold.

## Cabins

The stove of cabin 3 smokes.
"""
BUSY = "Another process is bringing the index up to date."


@pytest.fixture
def searched(tmp_path: Path) -> Searched:
    """A workspace of some files, indexed; one changes afterwards."""
    searched = new_searched(tmp_path / "w", **WORDS_ALONE)
    searched.write(DAY, TEXT)
    searched.write("memory/2026-03-02.md", "# 2026-03-02\n\n- The ferry leaves at nine.\n")
    searched.reindex()
    return searched


def cited(answer: Answer) -> tuple[str, int, str]:
    """Path, first line and the text of it, of the best hit."""
    best = answer.hits[0]
    return best.path, best.start_line, best.text.split("\n")[0]


def test_a_search_sees_what_was_written_just_before(searched: Searched) -> None:
    """New lines are cited exactly, lines that moved where they are now, and what left the file is not found."""
    searched.write(DAY, "One line more.\n\n" + TEXT.replace("leaks at the stern", "is repaired") + "\nA kayak came.\n")
    boat, stove, kayak, stern = searched.ask_all(["red boat", "stove smokes", "kayak", "stern"])
    assert (DAY, 7, "- The red boat is repaired.") == cited(boat)
    assert (DAY, 12, "The stove of cabin 3 smokes.") == cited(stove)
    assert "A kayak came." in kayak.hits[0].text
    assert () == stern.hits
    assert all(searched.cites(hit) for answer in (boat, stove, kayak) for hit in answer.hits)


def test_what_is_gone_is_not_retrieved(searched: Searched) -> None:
    """Neither by its words nor under its old name; a renamed file is found under its new one."""
    (searched.root / DAY).rename(searched.root / "memory" / "boats.md")
    (searched.root / "memory" / "2026-03-02.md").unlink()
    boat, ferry = searched.ask_all(["red boat", "ferry"])
    assert ({"memory/boats.md"}, ()) == ({hit.path for hit in boat.hits}, ferry.hits)


def test_the_index_cannot_be_brought_up_to_date(searched: Searched) -> None:
    """Another process is at it: lines that are still there are cited where they are now, what is gone is left out.

    That is said; and the search does not wait for the other.
    """
    searched.write(DAY, "One line more.\n\n" + TEXT.replace("The red boat leaks at the stern", "The canoe is green"))
    (searched.root / "memory" / "2026-03-02.md").unlink()
    with Latch(searched.index / "update.lock").hold(0):
        red, blue, ferry, canoe = searched.ask_all(["red boat stern", "blue boat sold", "ferry", "canoe"])
    assert (DAY, 8, "- The blue boat is sold.") == cited(blue)
    assert ([], (), ()) == ([hit.text for hit in red.hits if "stern" in hit.text], ferry.hits, canoe.hits)
    assert all(BUSY in answer.notes for answer in (red, blue, ferry, canoe))
    assert any("gone from the file since it was indexed" in note for note in ferry.notes)
    assert (DAY, 7, "- The canoe is green.") == cited(searched.ask("canoe"))


def test_too_much_has_changed_for_a_question_to_wait(searched: Searched) -> None:
    """That many files are left for `memory doctor reindex`, which is said; what is known is answered.

    Files that were indexed a moment after they were written may count too, for they may have changed unseen.
    """
    for number in range(310):
        searched.write(f"bank/{number}.md", f"# {number}\n\nThe otter of pond {number}.\n")
    answer, otter = searched.ask_all(["blue boat sold", "otter of pond 7"])
    assert "- The blue boat is sold." in answer.hits[0].text
    behind = " files have changed since the index was made; `memory doctor reindex` brings it up to date."
    assert any(310 <= int(note.removesuffix(behind)) <= 312 for note in answer.notes if note.endswith(behind))
    assert () == otter.hits
    assert 310 == searched.reindex()["added"]
    assert ["bank/7.md"] == [hit.path for hit in searched.ask("otter of pond 7").hits][:1]
