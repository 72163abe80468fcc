"""MEMORY.md on the page, with its weeks."""

import re
from pathlib import Path

from tests.support.workspaces.many_entries import empty_workspace
from tests.support.workspaces.page_reader import PageReader
from tests.support.workspaces.served_demo import served

HOSTILE = "<img src=x onerror=alert(1)> \u202e" + "long" * 80


def test_the_weeks(reader: PageReader) -> None:
    """Each with what came and went, and why, led to their entries; the change of the page stands under its week."""
    document = reader.get("/memory")
    newest, before = document.html.index('id="week-2026-W11"'), document.html.index('id="week-2026-W10"')
    change = document.html.index("+- from now on back to 20 percent deposit")
    assert newest < change < before
    for words in ("overridden", "because that took its place on 2026-03-13"):
        assert words in document.text
    assert re.search("Stays as it was: [1-9]", document.text)
    link = next(link for link in document.links if link.startswith("/entries/RULE-20260302-the-deposit"))
    assert 200 == reader.get(link).status


def test_before_the_first_week(tmp_path: Path) -> None:
    """It says when the page comes to be."""
    with served(empty_workspace(tmp_path / "work")) as workspace:
        document = PageReader(workspace).get("/memory")
    assert (200, True) == (document.status, "No week has been judged yet." in document.text)


def test_a_plan_that_others_wrote(tmp_path: Path) -> None:
    """It is text, whatever it says; a verdict that nobody knows is shown as it is written."""
    plans = empty_workspace(tmp_path / "work") / "memory" / "archive"
    plans.mkdir()
    verdicts = f"- **<b>gone</b>** [RULE-1]: {HOSTILE}\n  because {HOSTILE}\n- **promoted** [../../x?a=<b>]: y\n"
    (plans / "weekly-2026-W10.md").write_text(f"## Promoted\n{verdicts}")
    with served(plans.parents[1]) as workspace:
        document = PageReader(workspace).get("/memory")
    assert 200 == document.status
    assert "<img src=x" not in document.html
    assert "<b>" not in document.html
    assert "<bdi>&lt;b&gt;gone&lt;/b&gt;</bdi>" in document.html
