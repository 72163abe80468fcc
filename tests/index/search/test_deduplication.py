"""One thing said once is found once."""

from pathlib import Path

from pipeline.entries.reference import ITEM_DIGITS, MORE_DIGITS, item_name
from pipeline.markdown.blocks import seal_item
from schemas.hit import Reach
from schemas.requests import SearchRequest
from tests.support.builders.entries import TWINS
from tests.support.workspaces.indexed import Indexed, said

ENTRY = "DECISION-20260220-lamp"
WRAPUP = "second-brain/summaries/2026-02-20-wrapup.md"


def _workspace(root: Path) -> Indexed:
    made = Indexed(root).remember(said(ENTRY, "2026-02-20", "The brass lamp costs forty zloty"))
    made.write("MEMORY.md", f"# Memory\n\n- The brass lamp costs forty zloty ([{ENTRY}](memory/2026-02-20.md))\n")
    made.write(WRAPUP, f"# 2026-02-20\n\n- Decided: the brass lamp is forty zloty ({ENTRY})\n")
    return made


def test_an_entry_and_what_says_it_again_are_one_hit_with_all_places(tmp_path: Path) -> None:
    """The entry itself comes first."""
    made = _workspace(tmp_path)
    made.index()
    (hit,) = made.ask(SearchRequest(query="brass lamp", tier=Reach.ALL)).hits
    assert (ENTRY, "memory/2026-02-20.md") == (hit.entry_id, hit.path)
    assert {"memory/2026-02-20.md", "MEMORY.md", WRAPUP} == {place.path for place in hit.places}
    assert hit.path == hit.places[0].path


def test_in_cold_files_alone_their_own_line_leads(tmp_path: Path) -> None:
    """The entry is told of as another place."""
    made = _workspace(tmp_path)
    made.index()
    (hit,) = made.ask(SearchRequest(query="brass lamp", tier=Reach.COLD)).hits
    assert (ENTRY, WRAPUP) == (hit.entry_id, hit.path)
    assert "memory/2026-02-20.md" in {place.path for place in hit.places}


def test_a_line_of_the_page_is_one_with_its_entry(tmp_path: Path) -> None:
    """By the hash in its mark, whichever of the two the question fits better."""
    made = Indexed(tmp_path).remember(said(ENTRY, "2026-02-20", "The brass lamp costs forty zloty"))
    made.write("MEMORY.md", f"# Memory\n\n{_line(ENTRY, 'The copper lantern costs forty zloty')}").index()
    for question in ("brass lamp", "copper lantern"):
        (hit,) = made.ask(question).hits
        assert (ENTRY, ["memory/2026-02-20.md", "MEMORY.md"]) == (hit.entry_id, [place.path for place in hit.places])


def test_a_line_that_a_person_changed_says_what_the_person_says(tmp_path: Path) -> None:
    """It is found by its new words, and stands for the entry no longer."""
    made = Indexed(tmp_path).remember(said(ENTRY, "2026-02-20", "The brass lamp costs forty zloty"))
    line = _line(ENTRY, "The brass lamp costs forty zloty").replace("forty", "fifty")
    made.write("MEMORY.md", f"# Memory\n\n{line}").index()
    (hit,) = made.ask("fifty").hits
    assert ("MEMORY.md", "") == (hit.path, hit.entry_id)
    (first, *_) = made.ask("forty").hits
    assert (ENTRY, ["memory/2026-02-20.md"]) == (first.entry_id, [place.path for place in first.places])


def test_a_hash_that_two_entries_have_joins_nothing(tmp_path: Path) -> None:
    """The line is a hit of its own, unless its name has more of the hash."""
    first, second = (said(twin, "2026-03-02", f"The brass lamp costs {twin[-3:]} zloty") for twin in TWINS)
    made = Indexed(tmp_path).remember(first, second)
    made.write("MEMORY.md", _line(TWINS[0], "The copper lantern")).index()
    assert {"MEMORY.md"} == {place.path for hit in made.ask("copper lantern").hits for place in hit.places}
    made.write("MEMORY.md", _line(TWINS[0], "The copper lantern", MORE_DIGITS)).index()
    assert [TWINS[0]] == [hit.entry_id for hit in made.ask("copper lantern").hits]


def _line(entry_id: str, text: str, digits: int = ITEM_DIGITS) -> str:
    return seal_item(item_name(entry_id, digits), f"- {text} ([2026-02-20](memory/2026-02-20.md))")


def test_a_note_that_names_an_entry_says_something_of_its_own(tmp_path: Path) -> None:
    """It is another hit."""
    made = _workspace(tmp_path)
    made.write("memory/projects/lamp.md", f"The brass lamp has a dent, see {ENTRY}.\n").index()
    assert 2 == len(made.ask(SearchRequest(query="brass lamp dent", tier=Reach.ALL)).hits)


def test_the_same_words_in_two_files_are_one_hit(tmp_path: Path) -> None:
    """Whatever marks they have; the newer file leads."""
    made = Indexed(tmp_path)
    made.write("memory/2026-01-01.md", "# 2026-01-01\n\n- the brass lamp stands on the third shelf\n")
    made.write("memory/2026-01-02.md", "# 2026-01-02\n\nThe **brass lamp** stands on the third shelf.\n").index()
    (hit,) = made.ask("brass lamp").hits
    assert {"memory/2026-01-01.md", "memory/2026-01-02.md"} == {place.path for place in hit.places}


def test_short_words_said_twice_are_two_things(tmp_path: Path) -> None:
    """Thanks are said every day."""
    made = Indexed(tmp_path)
    made.write("memory/2026-01-01.md", "# 2026-01-01\n\n- Anna: thanks!\n")
    made.write("memory/2026-01-02.md", "# 2026-01-02\n\n- Anna: thanks!\n").index()
    assert 2 == len(made.ask("thanks").hits)
