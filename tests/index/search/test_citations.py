"""The lines of a hit are those of the file as it is now."""

from pathlib import Path

import pytest

from schemas.requests import SearchRequest
from tests.support.tables import table
from tests.support.workspaces.indexed import Indexed

PAGE = "memory/2026-01-01.md"
BEFORE = "# A\n\n- Anna: the brass lamp is on the third shelf\n\n# B\n\n- Ola: the oak table is in the hall\n"


@pytest.fixture
def indexed(tmp_path: Path) -> Indexed:
    """A page that is indexed, and changed afterwards."""
    made = Indexed(tmp_path).write(PAGE, BEFORE)
    made.index()
    return made


def test_text_that_moved_is_cited_where_it_is_now(indexed: Indexed) -> None:
    """Lines that came in above it count."""
    indexed.write(PAGE, BEFORE.replace("\n\n", "\n\nA line\n\nand another\n\n", 1))
    hit = indexed.ask(SearchRequest(query="brass lamp", k=1)).hits[0]
    assert (7, 7) == (hit.start_line, hit.end_line)
    assert "- Anna: the brass lamp is on the third shelf" == hit.text


def test_of_two_the_nearer_one_is_cited(indexed: Indexed) -> None:
    """The same line may stand twice by now."""
    line = "- Anna: the brass lamp is on the third shelf\n"
    indexed.write(PAGE, f"{line}\n# A\n{line}")
    assert 4 == indexed.ask(SearchRequest(query="brass lamp", k=1)).hits[0].start_line


def test_text_that_is_gone_is_no_hit(indexed: Indexed) -> None:
    """A note counts what is missing; the rest is there."""
    indexed.write(PAGE, BEFORE.replace("third", "fourth"))
    answer = indexed.ask("brass lamp or oak table")
    assert ["- Ola: the oak table is in the hall"] == [hit.text for hit in answer.hits]
    assert any(note.startswith("1 hit is gone from the file") for note in answer.notes)


def test_a_file_that_is_gone_has_no_hits(indexed: Indexed) -> None:
    """Nor does one that is a folder now."""
    (indexed.root / PAGE).unlink()
    assert () == indexed.ask("brass lamp").hits
    (indexed.root / PAGE).mkdir()
    assert () == indexed.ask("brass lamp").hits


def test_text_that_another_file_has_too_is_cited_from_there(indexed: Indexed) -> None:
    """When the first of its places is gone."""
    indexed.write("memory/projects/lamp.md", "- Anna: the brass lamp is on the third shelf\n").index()
    (indexed.root / PAGE).unlink()
    (hit,) = indexed.ask("brass lamp").hits
    assert "memory/projects/lamp.md" == hit.path
    assert [hit.path] == [place.path for place in hit.places]


@table(("mark", "end"), [("", "\r\n"), ("\ufeff", "\n"), ("\ufeff", "\r\n")])
def test_lines_are_counted_as_they_were_indexed(tmp_path: Path, mark: str, end: str) -> None:
    """With CRLF, a byte order mark, and characters that end a line elsewhere."""
    text = mark + "# A\n\nform\x0cfeed\u2028here\n\nthe brass lamp\n".replace("\n", end)
    made = Indexed(tmp_path).write(PAGE, text)
    made.index()
    hit = made.ask("brass lamp").hits[0]
    assert (5, "the brass lamp") == (hit.end_line, hit.text.split("\n")[-1])
