"""Entities and beliefs on the page: what is known, how sure it is, what changed, and which names are one."""

from datetime import date
from pathlib import Path
from urllib.parse import quote

from pipeline.surfaces.http.page.routes.entities import timeline_of
from schemas.reports.entities import FactReport
from tests.support.tables import table
from tests.support.workspaces.many_entries import empty_workspace, facts_of_others
from tests.support.workspaces.page_reader import PageReader, ReadDocument
from tests.support.workspaces.served_demo import served

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


@table(
    ("words", "there", "not_there"),
    [("HAN", "/entities/Hania", "/entities/Owner"), ("nobody at all", "Nothing fits", "/entities/Hania")],
)
def test_words_choose(reader: PageReader, words: str, there: str, not_there: str) -> None:
    """Whatever their case; where nothing fits, it says so."""
    document = reader.get(f"/entities?words={quote(words)}")
    assert (True, False) == (there in document.html, not_there in document.html)


def test_beliefs_with_their_sum(reader: PageReader) -> None:
    """Opinions that hold; how sure one is where something speaks for it or against it."""
    document = reader.get("/beliefs")
    assert "favourite cabin is cabin 2" in document.text
    assert "favourite cabin is cabin 4" not in document.text.replace(
        "Replaces: The owner's favourite cabin is cabin 4 2026-03-03", ""
    )
    assert "70 at the start = 70" not in document.text
    assert "/entities/Owner" in document.links
    assert "cabin" not in reader.get("/beliefs?words=wombat").text


def test_an_entity(reader: PageReader) -> None:
    """Its facts over time, what changed when, its names, and the ways to its page and to what is around it."""
    document = reader.get("/entities/hania")
    fact = reader.workspace.ask("/api/v1/entries/f-0eace304").value
    for words in (fact["text"], fact["day"], "What changed", "Hania lives in Suwałki", "Over time"):
        assert words in document.text
    links = {"/entries/f-0eace304", "/entries/f-c5a0d7a1", "/graph?entity=Hania", "/files/bank/entities/Hania.md"}
    assert links <= {*document.links}
    assert 'x="0" y="18" width="' in document.html


def test_a_chain_of_facts_over_time(reader: PageReader) -> None:
    """The one begins where the other ends, and the last goes on until today."""
    facts = [FactReport(**one) for one in reader.workspace.ask("/api/v1/entities/Hania").value["facts"]]
    drawn = timeline_of(facts, date(2026, 3, 20))
    assert drawn
    chain = next(row for row in drawn[0] if len(row) > 1)
    assert [False, True] == [bar.holds for bar in chain]
    assert (0, 720) == (chain[0].x, round(chain[1].x + chain[1].width, -1))
    assert chain[0].x + chain[0].width < chain[1].x
    assert timeline_of(facts[:1], date(2026, 3, 20)) is None


def test_a_name_that_nothing_has(reader: PageReader) -> None:
    """A sentence that names the nearest."""
    document = reader.get("/entities/Hanja")
    assert (404, True) == (document.status, "Hania" in document.text)
    assert 404 == reader.get(f"/entities/{quote(HOSTILE)}").status


def _joined(reader: PageReader, name: str, other: str) -> ReadDocument:
    """The run of two names that are put together, after the preview."""
    return reader.post(reader.get(f"/together?name={quote(name)}&other={quote(other)}").form("/entities/merge"))


def test_two_names_are_put_together_and_taken_apart(changer: PageReader) -> None:
    """After a look at both; each is a run that can be taken back there, and the names follow at once."""
    preview = changer.get("/together?name=Hania&other=lucjana")
    assert (True, True) == ("Drewno bierzemy" in preview.text, "Hania lives in" in preview.text)
    receipt = _joined(changer, "Hania", "Lucjana")
    assert (200, True) == (receipt.status, "The names are changed" in receipt.text)
    assert any(link.endswith("/undo") for link in receipt.links)
    merged = changer.get("/entities/Lucjana")
    assert "<bdi>Hania</bdi></h1>" in merged.html
    assert "Drewno bierzemy" in merged.text
    assert 200 == changer.post(merged.form("/entities/split")).status
    assert "<bdi>Lucjana</bdi></h1>" in changer.get("/entities/Lucjana").html


def test_an_unknown_name_is_put_together_with_nothing(reader: PageReader) -> None:
    """It says so, and names those like it, each a link to the preview."""
    document = reader.get("/together?name=Hania&other=Lucjan")
    assert (404, []) == (document.status, [form for form in document.forms if form.action == "/entities/merge"])
    assert "/together?name=Hania&other=Lucjana" in document.links
    assert "names of one already" in reader.get("/together?name=Hania&other=hania").text


def test_a_document_of_yesterday(changer: PageReader) -> None:
    """What has changed since is not put together."""
    form = changer.get("/together?name=Hania&other=Lucjana").form("/entities/merge")
    changer.post(form)
    again = changer.post(form)
    assert (409, True) == (again.status, "has changed since" in again.text)


@table(("other", "status"), [("Nobody", 404), ("hania", 409), ("", 422)])
def test_names_that_cannot_be_put_together(changer: PageReader, other: str, status: int) -> None:
    """A sentence says why, and nothing is changed."""
    form = changer.get("/together?name=Hania&other=Lucjana").form("/entities/merge")
    assert status == changer.post(form, other=other).status
    assert form == changer.get("/together?name=Hania&other=Lucjana").form("/entities/merge")


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
