"""Neighbours that answer together are one hit."""

from pathlib import Path

from pipeline.index.search.neighbours import CHARACTERS, LINES
from tests.support.workspaces.indexed import Indexed


def _ask(root: Path, text: str, question: str) -> list[tuple[int, int, str]]:
    made = Indexed(root).write("memory/2026-01-01.md", text)
    made.index()
    return [(hit.start_line, hit.end_line, hit.text) for hit in made.ask(question).hits]


def test_neighbours_that_answer_nearly_as_well_are_one_hit(tmp_path: Path) -> None:
    """Its text is exactly their lines, what stands between them included."""
    text = "# Lamps\n\n- Anna: brass lamp\n\n- Ola: brass lamp\n\n# Tables\n\nOak.\n"
    hits = _ask(tmp_path, text, "brass lamp")
    assert [(3, 5, "- Anna: brass lamp\n\n- Ola: brass lamp")] == hits


def test_a_heading_parts_them(tmp_path: Path) -> None:
    """What stands under another heading is another thing."""
    hits = _ask(tmp_path, "# A\n\n- Anna: brass lamp\n\n# B\n\n- Ola: brass lamp\n", "brass lamp")
    assert {(3, 3), (7, 7)} == {(start, end) for start, end, _ in hits}


def test_a_hit_stays_small(tmp_path: Path) -> None:
    """However many neighbours answer; and no line comes twice."""
    text = "# A\n\n" + "".join(f"- brass lamp number {number}\n" for number in range(40))
    hits = _ask(tmp_path, text, "brass lamp")
    assert all(end - start < LINES and len(words) <= CHARACTERS for start, end, words in hits)
    lines = [line for start, end, _ in hits for line in range(start, end + 1)]
    assert len(set(lines)) == len(lines)
    assert len(lines) > len(hits)
