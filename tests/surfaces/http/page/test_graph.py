"""The graph on the page: a picture of links, the same as a table, filters, and a way deeper."""

from pathlib import Path
from urllib.parse import quote

import pytest

from tests.support.tables import table
from tests.support.workspaces.many_entries import empty_workspace, facts_of_others, many_entries
from tests.support.workspaces.page_reader import PageReader, ReadDocument
from tests.support.workspaces.served_demo import served

HOSTILE = '<script>alert(1)</script>"&\u202eevil\u2066'
LONG = "Wolfeschlegelstein" * 20


def boxes(document: ReadDocument) -> int:
    """How many boxes the picture has."""
    return document.html.count('<a class="node ')


def test_the_picture_and_the_table_say_the_same(reader: PageReader) -> None:
    """Boxes are links with text to what is around them; the table leads to each thing's own page."""
    document = reader.get("/graph")
    nodes = reader.workspace.ask("/api/v1/graph").value["nodes"]
    assert (200, len(nodes)) == (document.status, boxes(document))
    assert all(node["label"][:200] in document.text for node in nodes if node["kind"] != "session")
    assert 2 * len(nodes) <= sum(link.startswith("/graph?focus=") for link in document.links)
    for path in ("/entries/f-0eace304", "/entities/Hania", "/details/cmd_"):
        assert any(link.startswith(path) for link in document.links), path
    assert 'aria-label="The same as a table"' in document.html


def test_a_click_goes_deeper(reader: PageReader) -> None:
    """To what is one step around, and from there to two; with a way to its own page."""
    near, further = reader.get("/graph?focus=entity:Hania"), reader.get("/graph?focus=entity%3AHania&depth=2")
    assert {"/entities/Hania", "/graph?focus=entity%3AHania&depth=2"} <= {*near.links}
    assert boxes(near) < boxes(further)


@pytest.mark.parametrize(
    ("query", "there", "not_there"),
    [
        ("kind=fact", "Hania lives in Suwałki", "Back to 20 percent"),
        ("kind=fact&kind=entity&since=2026-03-14", "Augustów", "Hania lives in Suwałki"),
        ("until=2026-03-02&since=", "30 percent", "lake road"),
        ("entity=Hania&session=&user_id=&depth=1", "Hania lives in Augustów now", "favourite"),
        ("pinned=true", "Nothing fits these filters.", "lake road"),
        ("session=none", "Nothing fits these filters.", "lake road"),
        ("entity=hani", "Hania lives in Augustów now", "favourite"),
        ("session=5d0c1b7e", "septic truck", "Augustów"),
        ("user_id=the+owner", "Hania lives in Augustów now", "Nothing fits"),
        ("user_id=zoe", "Nothing fits these filters.", "lake road"),
    ],
)
def test_filters(reader: PageReader, query: str, there: str, not_there: str) -> None:
    """As the form sends them, with fields left empty."""
    document = reader.get(f"/graph?{query}")
    assert (200, True, False) == (document.status, there in document.text, not_there in document.text)
    assert "/graph" in document.links


@pytest.mark.parametrize("query", ["focus=nothing", "entity=Nobody", f"focus={quote(HOSTILE)}"])
def test_a_focus_that_is_not_there(reader: PageReader, query: str) -> None:
    """A sentence with a way on."""
    document = reader.get(f"/graph?{query}")
    assert (404, True) == (document.status, "There is no" in document.text)
    assert "<script>alert" not in document.html


def test_sessions_go_by_their_words(reader: PageReader) -> None:
    """With the beginning of the id and the day; the whole id is in links alone."""
    document = reader.get("/graph?kind=session")
    assert "evening. three people booked cabin 4 for the same weekend ag… 5d0c1b7e session 2026-03-" in document.text
    assert "5d0c1b7e-3f42" not in document.text


def test_a_beginning_of_several(tmp_path: Path) -> None:
    """The page stays, with what may be meant, and the other filters."""
    root = empty_workspace(tmp_path / "work")
    facts_of_others(root, ["W @Anna: Anna swims", "W @Anton: Anton rows"])
    with served(root) as workspace:
        reader = PageReader(workspace)
        document, none = reader.get("/graph?entity=an&kind=fact"), reader.get("/graph?entity=Nobody")
        assert (200, "an") == (document.status, document.form("/graph").fields["entity"])
        assert {"/graph?entity=Anna&kind=fact", "/graph?entity=Anton&kind=fact"} <= {*document.links}
        assert "Anna swims" in reader.get("/graph?entity=Anna&kind=fact").text
        assert (404, "Nobody") == (none.status, none.form("/graph").fields["entity"])


@table("language", ["en", "pl", "zh"])
def test_an_empty_workspace(tmp_path: Path, language: str) -> None:
    """It says what to do next, and draws nothing."""
    with served(empty_workspace(tmp_path / "work")) as workspace:
        document = PageReader(workspace, language).get("/graph")
    assert (200, 0, False) == (document.status, boxes(document), "<svg class" in document.html)
    assert 'class="nothing"' in document.html


def test_more_than_a_picture_holds(tmp_path: Path) -> None:
    """It says how much it left out, and how to see it."""
    with served(many_entries(tmp_path / "work", 300)) as workspace:
        document = PageReader(workspace).get("/graph")
    assert 200 == boxes(document)
    assert "This shows 200 nodes" in document.text
    assert "entry: 118" in document.text
    assert "choose fewer days" in document.text


def test_names_that_would_do_harm(tmp_path: Path) -> None:
    """HTML is text, marks that turn the text are not drawn, and a long name is cut with the whole beside it."""
    root = empty_workspace(tmp_path / "work")
    facts_of_others(root, [f"W @{LONG[:300]}: {HOSTILE} {LONG[:90]}", "O @a/b @..: slash?&#x27;", "W @العربية: مرحبا"])
    with served(root) as workspace:
        reader = PageReader(workspace)
        document = reader.get("/graph")
        assert "<script>alert" not in document.html
        picture = document.html[document.html.index("<svg class") : document.html.index("</svg></div>")]
        assert "&lt;script&gt;" in picture
        assert not {"\u202e", "\u2066"} & set(picture)
        assert f"{LONG[:300]}</title>" in picture
        assert " style=" not in document.html
        for link in (link for link in document.links if link.startswith(("/graph?", "/entities/"))):
            assert (link, 200) == (link, reader.get(link.replace("&amp;", "&")).status)
