"""Entities and beliefs on the page: what is known, how sure it is, what changed, and which names are one."""

from pathlib import Path
from urllib.parse import quote

import pytest

from tests.support.tables import table
from tests.support.workspaces.many_entries import empty_workspace, facts_of_others
from tests.support.workspaces.page_reader import PageReader
from tests.support.workspaces.served_demo import ServedWorkspace, served

HOSTILE = "<img src=x onerror=alert(1)>\u202eevil"
LONG = "Wolfeschlegelstein" * 16


def test_who_and_what_is_known(reader: PageReader) -> None:
    """Each with the number of its facts and its last mention; a name leads to its document."""
    document = reader.get("/entities")
    known = reader.workspace.ask("/api/v1/entities").value
    assert known
    for one in known:
        assert f"/entities/{quote(one['name'])}" in document.links
        assert f"{one['facts']} {one['last']}" in document.text


@pytest.mark.parametrize(
    ("words", "there", "not_there"),
    [("HAN", "/entities/Hania", "/entities/Owner"), ("nobody at all", "Nothing has these words.", "/entities/Hania")],
)
def test_words_choose(reader: PageReader, words: str, there: str, not_there: str) -> None:
    """Whatever their case; where nothing fits, it says so."""
    document = reader.get(f"/entities?words={quote(words)}")
    assert (True, False) == (there in document.html, not_there in document.html)


def test_beliefs_with_their_sum(reader: PageReader) -> None:
    """Opinions that hold, each with the number, the word for it, and how the number comes about."""
    document = reader.get("/beliefs")
    assert "favourite cabin is cabin 2" in document.text
    assert "favourite cabin is cabin 4" not in document.text.replace(
        "In place of: The owner's favourite cabin is cabin 4 2026-03-03", ""
    )
    assert "likely confidence 0.70 Sum: 70 at the start = 70" in document.text
    assert "/entities/Owner" in document.links
    assert "cabin" not in reader.get("/beliefs?words=wombat").text


def test_an_entity(reader: PageReader) -> None:
    """Its facts with both dates and their sums, what changed when, its names and the text of its page."""
    document = reader.get("/entities/hania")
    fact = reader.workspace.ask("/api/v1/entries/f-0eace304").value
    for words in (fact["text"], fact["sum"], fact["sureness"], fact["day"], "What changed", "Hania lives in Suwałki"):
        assert words in document.text
    assert {"/entries/f-0eace304", "/entries/f-c5a0d7a1", "/graph?entity=Hania"} <= {*document.links}
    assert "## No more" in document.text
    assert "<!--" not in document.html
    assert "&lt;!-- memory:" not in document.html


def test_a_name_that_nothing_has(reader: PageReader) -> None:
    """A sentence that names the nearest."""
    document = reader.get("/entities/Hanja")
    assert (404, True) == (document.status, "Hania" in document.text)
    assert 404 == reader.get(f"/entities/{quote(HOSTILE)}").status


def test_two_names_are_put_together_and_taken_apart(changer: PageReader) -> None:
    """Each is a run that the receipt leads to; the names follow at once."""
    before = changer.get("/entities/Hania")
    receipt = changer.post(before.form("/entities/merge"), other="Lucjana")
    assert (200, True) == (receipt.status, any(link.startswith("/runs/") for link in receipt.links))
    assert "memory undo " in receipt.text
    merged = changer.get("/entities/Lucjana")
    assert "<h1><bdi>Hania</bdi></h1>" in merged.html
    assert "Drewno bierzemy" in merged.text
    apart = changer.post(merged.form("/entities/split"))
    assert 200 == apart.status
    assert "<h1><bdi>Lucjana</bdi></h1>" in changer.get("/entities/Lucjana").html


def test_the_run_takes_it_back(changing: ServedWorkspace) -> None:
    """As any other run."""
    reader = PageReader(changing)
    receipt = reader.post(reader.get("/entities/Hania").form("/entities/merge"), other="Lucjana")
    run = next(link for link in receipt.links if link.startswith("/runs/")).removeprefix("/runs/")
    assert 200 == changing.ask(f"/api/v1/runs/{run}/undo", "POST").status
    assert "<h1><bdi>Lucjana</bdi></h1>" in reader.get("/entities/Lucjana").html


def test_a_document_of_yesterday(changer: PageReader) -> None:
    """What has changed since is not put together."""
    form = changer.get("/entities/Hania").form("/entities/merge")
    changer.post(form, other="Lucjana")
    again = changer.post(form, other="Suwałki")
    assert (409, True) == (again.status, "has changed since" in again.text)


@pytest.mark.parametrize(("other", "status"), [("Nobody", 404), ("hania", 400), ("", 422)])
def test_names_that_cannot_be_put_together(changer: PageReader, other: str, status: int) -> None:
    """A sentence says why, and nothing is changed."""
    form = changer.get("/entities/Hania").form("/entities/merge")
    assert status == changer.post(form, other=other).status
    assert form == changer.get("/entities/Hania").form("/entities/merge")


@table("path", ["/entities", "/beliefs"])
def test_an_empty_workspace(tmp_path: Path, path: str) -> None:
    """It says what to do next."""
    with served(empty_workspace(tmp_path / "work")) as workspace:
        document = PageReader(workspace).get(path)
    assert (200, True) == (document.status, "The job retain keeps facts" in document.text)


def test_names_that_would_do_harm(tmp_path: Path) -> None:
    """HTML is text, a long name has room, and what nobody vouches for is marked."""
    lines = [f"O @{LONG}: {HOSTILE}", "W @x/../y: slashed", *(f"W @thing{number}: one of many" for number in range(60))]
    with served(facts_of_others(empty_workspace(tmp_path / "work"), lines)) as workspace:
        reader = PageReader(workspace)
        for path in ("/entities", "/beliefs", f"/entities/{LONG}"):
            document = reader.get(path)
            assert (200, False) == (document.status, "<img src=x" in document.html)
        assert "nobody's word" in document.text
        assert 200 == reader.get("/entities?page=99").status
        names = [link for link in reader.get("/entities?page=2").links if link.startswith("/entities/")]
        assert [200] * len(names) == [reader.get(name).status for name in names]
