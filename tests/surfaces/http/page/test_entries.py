"""Entries on the page: the list, one entry's whole story, a fact, MEMORY.md and forgetting."""

import re
from pathlib import Path
from urllib.parse import quote

from tests.support.tables import table
from tests.support.workspaces.page_reader import PageReader

LAKE = "REMEMBER-20260314-the-lake-road-is-closed-from-20-to-24-april-guests-have-to"
HOSTILE = "<script>alert(1)</script> \u202eevil" + "x" * 300


ENTRY = f"/entries/{quote(LAKE)}"


def test_the_list(reader: PageReader) -> None:
    """The newest first; filters keep what they say, and ten that match nothing say how to go on."""
    document = reader.get("/entries")
    assert document.text.index("2026-03-14") < document.text.index("2026-03-02")
    rules = reader.get("/entries?kind=rule&since=2026-03-01&until=&status=active&trust=owner&words=PHOTOS")
    assert "Entries: 1." in rules.text
    assert "photos with guests" in rules.text
    nothing = reader.get("/entries?kind=rule&words=nothing-like-this")
    assert "Nothing fits these filters" in nothing.text


def test_facets(reader: PageReader) -> None:
    """Each value is a link with its number, among what the other facets let through; the chosen one is dropped."""
    every, rules = reader.workspace.ask("/api/v1/entries").value, reader.get("/entries?kind=rule")
    number = sum(one["kind"] == "rule" for one in every)
    assert f"rule {number}" in reader.get("/entries").text
    assert (True, True) == (f"Entries: {number}." in rules.text, "/entries" in rules.links)
    assert f"to remember {sum(one['kind'] == 'remember' for one in every)}" in rules.text
    assert "/entries?kind=rule&status=superseded" in rules.links
    assert "replaced 1" in rules.text


@table("query", ["kind=lie", "since=someday", "page=0"])
def test_filters_that_are_none(reader: PageReader, query: str) -> None:
    """A document with a plain sentence, which leads back to the form with the other fields."""
    document = reader.get(f"/entries?words=lake&{query}")
    assert (422, True) == (document.status, "<html" in document.html)
    assert "/entries?words=lake" in document.links
    assert [] == [word for word in ("query.", "Input should", "Value error") if word in document.text]


def test_days_the_wrong_way_round(reader: PageReader) -> None:
    """A plain sentence, and a way back that keeps the first day."""
    document = reader.get("/entries?words=lake&since=2026-03-10&until=2026-03-09")
    assert (422, True) == (document.status, "/entries?words=lake&since=2026-03-10" in document.links)
    assert "Until: " in document.text


@table(
    ("language", "sentence"),
    [
        ("en", "Since: this is no day. Write it as 2026-03-14."),
        ("pl", "Od: to nie jest dzień."),
        ("zh", "从: 这不是日期"),
    ],
)
def test_what_is_wrong_in_ones_language(reader: PageReader, language: str, sentence: str) -> None:
    """The field is named as the form names it."""
    assert sentence in PageReader(reader.workspace, language).get("/entries?since=someday").text


@table("language", ["en", "pl", "zh"])
def test_filters_that_match_nothing(reader: PageReader, language: str) -> None:
    """Each alone, and all together: a document that says how to go on, with what was asked still in its form."""
    asked = PageReader(reader.workspace, language)
    filters = (
        *("kind=architecture&words=photos", "status=archived", "status=in_review", "trust=unverified", "trust=quoted"),
        *("since=2030-01-01", "until=2001-01-01", "words=%3Cscript%3E"),
        "kind=rule&status=archived&trust=quoted&since=2030-01-01&until=2031-01-01&words=%E2%80%AEx&page=9",
    )
    answers = [asked.get(f"/entries?{one}") for one in filters]
    assert [(200, 1)] * 9 == [(one.status, one.html.count('class="nothing"')) for one in answers]
    form = next(form for form in answers[-1].forms if "since" in form.fields)
    assert ("2030-01-01", "\u202ex") == (form.fields["since"], form.fields["words"])


def test_a_whole_story(reader: PageReader) -> None:
    """The quote, the words it rests on, where it stands, the run, and what the week said of it."""
    document = reader.get(ENTRY)
    for words in ("lake road is closed", "The words it rests on", "memory/2026-03-14.md", "2026-W11", "promoted"):
        assert words in document.text
    assert any(link.startswith("/runs/") for link in document.links)
    assert f"/forget/{quote(LAKE)}" in document.links


def test_what_an_entry_names(reader: PageReader) -> None:
    """The entries that it replaces and the run that wrote it stand there by their names and days, as links."""
    later = next(one for one in reader.workspace.ask("/api/v1/entries").value if one["supersedes"])
    earlier = later["supersedes"][0]
    document = reader.get(f"/entries/{quote(later['id'])}")
    assert f"/entries/{quote(earlier)}" in document.links
    assert f"Replaces {earlier}" not in document.text
    assert re.search(r"Replaces \S.* 2026-03-\d\d ", document.text)
    assert re.search(r"Written by Decisions and rules, \d{4}-\d\d-\d\d \d\d:\d\d Name", document.text)


def test_the_chain_of_a_decision(reader: PageReader) -> None:
    """What was replaced and what holds stand in a drawing and in a list that says the same; reasons have no ids."""
    later = next(one["id"] for one in reader.workspace.ask("/api/v1/entries").value if one["supersedes"])
    document = reader.get(f"/entries/{quote(later)}")
    assert ("How it changed</title>" in document.html, document.html.count("<circle")) == (True, 2)
    assert re.search("The deposit goes up to 30 percent.* replaced 2026-03-13 From now on back to 20", document.text)
    assert "it takes the place of The deposit goes up to 30 percent" in document.text


def test_what_a_fact_names(reader: PageReader) -> None:
    """What took its place, or what it replaced, by its words and day."""
    assert "Held until 2026-03-14: The owner's favourite cabin is cabin 2 2026-03-14" in _fact(reader, "cabin 4")
    assert "Replaces The owner's favourite cabin is cabin 4 2026-03-03" in _fact(reader, "cabin 2")
    assert "Replaces: The owner's favourite cabin is cabin 4 2026-03-03" in reader.get("/beliefs").text


def _fact(reader: PageReader, words: str) -> str:
    """The document of a fact of the owner's favourite."""
    nodes = reader.workspace.ask("/api/v1/graph?kind=fact").value["nodes"]
    name = next(one["name"] for one in nodes if one["label"] == f"The owner's favourite cabin is {words}")
    return reader.get(f"/entries/{name}").text


def test_an_entry_that_nobody_knows(reader: PageReader) -> None:
    """The sentence of the command line, in a document."""
    document = reader.get("/entries/DECISION-20200101-nothing")
    assert (404, True) == (document.status, "There is no entry" in document.text)


def test_a_hostile_entry(changer: PageReader) -> None:
    """What others wrote into a file is text, whatever it says, and is named as nobody's word."""
    day = Path(changer.workspace.root, "memory", "2026-03-14.md")
    text = day.read_text()
    start = text.index("## Remember")
    forged = text[start:].replace(LAKE, "REMEMBER-20260314-forged").replace("- why: ", f"- why: {HOSTILE} ")
    title = forged.split("\n", 1)[0]
    day.write_text(text + "\n" + forged.replace(title, f"## Remember: {HOSTILE}"))
    document = changer.get("/entries?words=alert")
    assert "<script>alert" not in document.html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in document.html
    assert "only the quote is yours" in document.text
    assert "<script>alert" not in changer.get("/entries/REMEMBER-20260314-forged").html


def test_a_fact(reader: PageReader) -> None:
    """The sum behind its number, what it is about, and where it was said."""
    link = next(link for link in reader.get("/search?query=Hania&kind=world").links if link.startswith("/entries/f-"))
    document = reader.get(link)
    assert "The sum" in document.text
    assert any(name.startswith("/entities/") for name in document.links)


def test_correcting(changer: PageReader) -> None:
    """The words that hold are shown to be changed; then the new ones hold, with the old ones in their story."""
    assert f"/correct/{quote(LAKE)}" in changer.get(ENTRY).links
    ask = changer.get(f"/correct/{quote(LAKE)}")
    assert 400 == changer.post(ask.form("/correct/"), text="...").status
    assert 409 == changer.post(ask.form("/correct/"), text="The lake road is open.", seen="0").status
    story = changer.post(ask.form("/correct/"), text="The lake road is open.")
    assert all(words in story.text for words in ("The lake road is open.", "Said before", "closed from 20 to 24"))
    assert "Corrected to" in changer.get(ENTRY).text
    assert f"/correct/{quote(LAKE)}" not in changer.get(ENTRY).links


def test_forgetting(changer: PageReader) -> None:
    """What would go is shown; the word has to be typed; then nothing of it is in the files and conversations."""
    sessions, workspace = "/api/v1/sessions", changer.workspace
    said = workspace.ask(f"/api/v1/entries/{quote(LAKE)}").value["quote"]
    assert 200 == workspace.ask(sessions, "POST", {"session_id": "s-1"}).status
    assert 200 == workspace.ask(f"{sessions}/s-1/messages", "POST", [{"role": "user", "text": f"So: {said}"}]).status
    ask = changer.get(f"/forget/{quote(LAKE)}")
    assert ("memory/2026-03-14.md" in ask.text, "s-1#1" in ask.text) == (True, True)
    assert 422 == changer.post(ask.form("/forget/"), typed="yes").status
    assert 409 == changer.post(ask.form("/forget/"), typed="forget", seen="0").status
    receipt = changer.post(ask.form("/forget/"), typed="forget")
    assert ("It is gone, and does not come back." in receipt.text, "s-1#1" in receipt.text) == (True, True)
    exported = workspace.ask(f"{sessions}/s-1/export").body
    assert (said.encode() in exported, b"So: " in exported) == (False, True)
    files = "".join(path.read_text() for path in Path(changer.workspace.root, "memory").rglob("*.md"))
    assert "lake road is closed" not in files
    assert "lake road" not in changer.get(ENTRY).text
    again = changer.get(f"/forget/{quote(LAKE)}")
    assert (303, True) == (again.status, (place := again.headers["location"]).endswith("/done"))
    assert ("It is gone" in changer.get(place).text, "lake" in changer.get(place).html) == (True, False)


def test_forgetting_a_topic(changer: PageReader) -> None:
    """From the search: its words stand in no address and in no receipt, and a form that is sent again does nothing."""
    hits = changer.get("/search?query=lake+road")
    ask = changer.post(hits.form("/forget"))
    assert (200, True) == (ask.status, "memory/2026-03-14.md" in ask.text)
    form = ask.form("/forget/topic")
    assert ("/forget/topic", "lake road") == (form.action, form.fields["topic"])
    assert 422 == changer.post(form, typed="").status
    receipt = changer.post(form, typed="forget")
    assert ("It is gone" in receipt.text, "lake" in receipt.html.lower()) == (True, False)
    texts = "".join(path.read_text() for path in Path(changer.workspace.root).rglob("*.md"))
    assert "lake road is closed" not in texts
    assert 409 == changer.post(form, typed="forget").status
    unknown = changer.post(changer.get("/forget").form("/forget"), topic="zeppelin")
    assert (400, True) == (unknown.status, "Nothing that the memory wrote" in unknown.text)
    assert changer.get(form.action).form("/forget")


def test_cases_of_a_name_are_ticked(changer: PageReader) -> None:
    """Each case has a box without a tick; those that are ticked are shown with the name, before anything goes."""
    note = Path(changer.workspace.root, "memory/projects/mine.md")
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text("I saw Hanię, then Hanię and Hani.\n")
    ask = changer.post(changer.get("/forget").form("/forget"), topic="Hania")
    boxes = re.findall(r'"checkbox" name="cases" value="(\w+)"( checked)?', ask.html)
    assert [("Hani", ""), ("Hanię", "")] == boxes
    assert "Hanię (places: 2)" in ask.text
    again = changer.post(ask.form("/forget"), cases=["Hanię", "invoices"])
    assert [("Hani", ""), ("Hanię", " checked")] == re.findall(
        r'"checkbox" name="cases" value="(\w+)"( checked)?', again.html
    )
    assert ("Hania, Hanię" in again.text, "invoices" in again.text) == (True, False)


def test_forgetting_a_fact(changer: PageReader) -> None:
    """The lines that have its words go, after the same word."""
    link = next(link for link in changer.get("/search?query=Hania&kind=world").links if link.startswith("/entries/f-"))
    ask = changer.get(link.replace("/entries/", "/forget/"))
    receipt = changer.post(ask.form("/forget/"), typed="forget")
    assert "It is gone" in receipt.text
    assert "Hania" not in changer.get(link).text
