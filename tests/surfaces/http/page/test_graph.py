"""What is around a thing: a picture, and a list that says the same."""

from pathlib import Path
from urllib.parse import quote

from tests.support.tables import table
from tests.support.workspaces.many_entries import empty_workspace, facts_of_others
from tests.support.workspaces.page_reader import PageReader
from tests.support.workspaces.served_demo import served

HOSTILE = '<script>alert(1)</script>"&\u202eevil\u2066'
LONG = "Wolfeschlegelstein" * 20


@table("query", ["entity=Hania", "focus=entity:Hania", "entity=hani"])
def test_what_is_a_step_away(reader: PageReader, query: str) -> None:
    """Each thing in the picture and in the list, where it is a link to its own page."""
    document = reader.get(f"/graph?{query}")
    assert (200, True) == (document.status, "/entries/f-0eace304" in document.links)
    picture, _, listed = document.html.partition("</svg>")
    assert ("Hania lives in" in picture, "Hania lives in" in listed) == (True, True)
    assert "favourite cabin" not in document.text


def test_without_a_thing(reader: PageReader) -> None:
    """There is no picture of everything: the list of entities is shown."""
    answer = reader.get("/graph")
    assert (303, "/entities") == (answer.status, answer.headers["location"])
    assert 404 == reader.get("/graph?entity=Nobody").status


def test_labels_that_would_do_harm(tmp_path: Path) -> None:
    """HTML is text, what steers is shown, and a long name has room."""
    with served(facts_of_others(empty_workspace(tmp_path / "work"), [f"O @{LONG}: {HOSTILE}"])) as workspace:
        document = PageReader(workspace).get(f"/graph?entity={quote(LONG)}")
    assert (200, False, False) == (document.status, "<script>alert" in document.html, "\u202e" in document.html)
