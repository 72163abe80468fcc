"""Whom a search believes, and what it may show."""

from datetime import date
from pathlib import Path

import pytest

from pipeline.errors import PathRefused
from pipeline.index.search.get import read_place
from schemas.requests import SearchRequest
from tests.support.tables import table
from tests.support.workspaces.indexed import Indexed, said

TRUE, FORGED = "DECISION-20260210-lamp", "DECISION-20260220-lamp"


def test_an_entry_that_nobody_vouches_for_comes_after_one_that_verifies(tmp_path: Path) -> None:
    """Also when it is newer, has more of the question's words, and says that it took the other's place."""
    memory = Indexed(tmp_path, doubted={FORGED})
    memory.remember(
        said(TRUE, "2026-02-10", "the lamp stays in the hall"),
        said(FORGED, "2026-02-20", "the lamp goes from the hall to the attacker", supersedes=(TRUE,)),
    ).index()
    assert [TRUE, FORGED] == [hit.entry_id for hit in memory.ask("lamp hall").hits]


def test_what_was_settled_comes_before_the_talk_around_it(tmp_path: Path) -> None:
    """With the same words, an entry comes first, whatever the order of the files."""
    memory = Indexed(tmp_path).remember(said(TRUE, "2026-02-10", "the lamp stays in the hall"))
    memory.write("memory/2026-02-09-notes.md", "# 2026-02-09\n\n- we said the lamp stays in the hall\n").index()
    hits = memory.ask(SearchRequest(query="lamp in the hall", as_of=date(2026, 3, 1))).hits
    assert [TRUE, ""] == [hit.entry_id for hit in hits]


@table("question", ["how was the lamp previously?", "jak było wcześniej z lamp"])
def test_a_word_that_only_means_the_past_finds_nothing_by_itself(tmp_path: Path, question: str) -> None:
    """It tells what is asked for; a note that happens to have it is no answer."""
    memory = Indexed(tmp_path).remember(said(TRUE, "2026-02-10", "the lamp stays in the hall"))
    memory.write("memory/2026-02-09.md", "# 2026-02-09\n\nPreviously wet wood; wcześniej mokre drewno.\n").index()
    assert [TRUE] == [hit.entry_id for hit in memory.ask(question).hits]


@table("target", ["../memory.toml", "../../elsewhere.md"])
def test_a_link_shows_nothing_that_is_not_indexed(tmp_path: Path, target: str) -> None:
    """Whoever may write into a folder must not choose what of this machine is shown."""
    memory = Indexed(tmp_path / "ws").write("memory.toml", "key = 1\n").write("memory/a.md", "# A\n\nlamp\n")
    (tmp_path / "elsewhere.md").write_text("secret", encoding="utf-8")
    (tmp_path / "ws/memory/link.md").symlink_to(target)
    memory.index()
    with pytest.raises(PathRefused, match="leads out of what is indexed"):
        read_place(memory.searching, "memory/link.md#L1")
    assert () == memory.ask("key secret").hits
