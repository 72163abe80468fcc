"""The list of pairs that people took apart."""

from datetime import date
from pathlib import Path

from pipeline.workspace.files import Workspace
from pipeline.workspace.unlinked import PATH, allow_links, note_unlinked, read_unlinked
from schemas.links import LinkBar

BAR = LinkBar(ids=("RULE-1-a", "规则-2"), places=("00ff", "ab12"))
OTHER = LinkBar(ids=("RULE-3", "RULE-1-a"), places=("11", "00ff"))
DAY = date(2026, 3, 2)


def test_a_pair_is_listed_once_in_words_that_people_read(tmp_path: Path) -> None:
    """With what the list is for, and how a line is taken out."""
    (tmp_path / "memory").mkdir()
    workspace = Workspace(tmp_path)
    note_unlinked(workspace, [BAR, BAR], DAY)
    note_unlinked(workspace, [OTHER, BAR], DAY)
    text = (tmp_path / PATH).read_text()

    assert [BAR, OTHER] == read_unlinked(workspace)
    assert text.startswith("# Unlinked\n\nPairs of entries that a person took apart")
    assert "- RULE-1-a message:00ff and 规则-2 message:ab12 on 2026-03-02\n" in text


def test_lines_of_people_stay_and_a_pair_is_taken_out_by_its_ids(tmp_path: Path) -> None:
    """In either order; what is no line of ours counts for nothing."""
    (tmp_path / "memory").mkdir()
    workspace = Workspace(tmp_path)
    note_unlinked(workspace, [BAR, OTHER], DAY)
    with (tmp_path / PATH).open("a") as mine:
        mine.write("mine: RULE-1-a and others\r\n- broken and RULE-3")
    allow_links(workspace, {frozenset(("规则-2", "RULE-1-a"))})

    assert [OTHER] == read_unlinked(workspace)
    assert (tmp_path / PATH).read_bytes().endswith(b"mine: RULE-1-a and others\r\n- broken and RULE-3")


def test_without_a_list_nothing_is_barred(tmp_path: Path) -> None:
    """Nor is one made by looking."""
    workspace = Workspace(tmp_path)
    allow_links(workspace, {frozenset(BAR.ids)})

    assert ([], False) == (read_unlinked(workspace), (tmp_path / PATH).exists())
