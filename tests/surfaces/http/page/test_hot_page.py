"""MEMORY.md on the page, with its weeks."""

import re
from datetime import date
from pathlib import Path
from shutil import copytree, ignore_patterns

from pipeline.markdown.entries import parse_entries, render_entry
from tests.support.workspaces.many_entries import empty_workspace
from tests.support.workspaces.page_reader import PageReader, ReadDocument, SentForm
from tests.support.workspaces.served_demo import served

HOSTILE = "<img src=x onerror=alert(1)> \u202e" + "long" * 80


LINE = "from now on back to 20 percent deposit for all six cabins, 30 was a mistake"
ENTRY = "/entries/RULE-20260313-from-now-on-back-to-20-percent-deposit-for-all-six-cabins-30"


def button(document: ReadDocument, words: str) -> SentForm:
    """The form below a line of the page."""
    after = document.html.rindex(words)
    name = re.search(r'name="line" value="(m-[0-9a-f]+)"', document.html[after:])
    assert name
    return next(form for form in document.forms if form.fields.get("line") == name[1])


def test_why_a_line_stands_there(reader: PageReader) -> None:
    """Its age and the reason of the newest plan in plain words, with a link to the rest; no Markdown is shown."""
    document = reader.get("/memory")
    assert re.search(
        rf"{LINE} \( 2026-03-13 \) \d+ months old · rule, said once, meant to last, replaces", document.text
    )
    assert ENTRY in document.links
    assert [] == [sign for sign in ("`", "](", "&lt;!--") if sign in document.html[document.html.index("<article") :]]
    for language, words in (("pl", "powiedziane raz"), ("zh", "说过一次")):
        assert words in PageReader(reader.workspace, language).get("/memory").text


def test_a_line_whose_last_day_is_over(demo: Path, tmp_path: Path) -> None:
    """It says so until the next plan takes it away."""
    root = copytree(demo, tmp_path / "work", ignore=ignore_patterns(".memory"))
    day = root / "memory" / "2026-03-14.md"
    [entry] = [one for _, one in parse_entries(day.read_bytes()) if one and "lake" in one.id]
    ended = entry.model_copy(update={"until": date(2026, 4, 24)})
    day.write_text(day.read_text().replace(render_entry(entry), render_entry(ended)))
    with served(root) as workspace:
        assert "its last day was 2026-04-24" in PageReader(workspace).get("/memory").text


def test_a_line_taken_off(changer: PageReader) -> None:
    """It leaves the page alone; the notice has the words and takes it back, once."""
    page, day = (Path(changer.workspace.root, name) for name in ("MEMORY.md", "memory/2026-03-13.md"))
    before, entry = page.read_text(), day.read_text()
    after = changer.post(button(changer.get("/memory"), LINE), edit="take_off")
    assert (200, True) == (after.status, "Taken off this page." in after.text)
    assert (True, False, entry) == (LINE in after.text, LINE in page.read_text(), day.read_text())
    assert LINE in changer.get(ENTRY).text
    undo = after.form("/memory/undo")
    assert "It stands on the page again." in changer.post(undo).text
    assert before == page.read_text()
    assert 409 == changer.post(undo).status


def test_a_line_kept(changer: PageReader) -> None:
    """It says so, there and in the file, until it is kept no more."""
    page = Path(changer.workspace.root, "MEMORY.md")
    before = page.read_text()
    kept = changer.post(button(changer.get("/memory"), LINE), edit="pin")
    assert ("pinned by you" in kept.text, "(pinned) <!--" in page.read_text()) == (True, True)
    changer.post(button(kept, LINE), edit="unpin")
    assert before == page.read_text()


def test_a_line_that_has_changed(changer: PageReader) -> None:
    """A form that shows other words than those of the file is refused; so is one for a line of somebody's own."""
    page = Path(changer.workspace.root, "MEMORY.md")
    form = button(changer.get("/memory"), LINE)
    page.write_text(page.read_text().replace(LINE, f"{LINE}, <b>mine</b> \u202e"))
    mine = page.read_text()
    for edit in ("take_off", "pin", "unpin"):
        refused = changer.post(form, edit=edit)
        assert (409, True) == (refused.status, "has changed" in refused.text)
    assert mine == page.read_text()
    document = changer.get("/memory")
    assert ("&lt;b&gt;mine" in document.html, "[U+202E]" in document.text) == (True, True)
    assert form.fields["line"] not in [other.fields.get("line") for other in document.forms]


def test_the_weeks(reader: PageReader) -> None:
    """Each with what came and went, and why, led to their entries; the change of the page stands under its week."""
    document = reader.get("/memory/weeks")
    for words in ("2026-W11", "overridden", "because that took its place on 2026-03-13", "+- from now on back to 20"):
        assert words in document.text
    assert "2026-W10" in reader.get("/memory/weeks?page=2").text
    assert "it takes the place of The deposit goes up to 30 percent from april, all six cabins" in document.text
    assert re.search("Stays as it was: [1-9]", document.text)
    link = next(link for link in document.links if link.startswith("/entries/RULE-20260302-the-deposit"))
    assert 200 == reader.get(link).status


def test_before_the_first_week(tmp_path: Path) -> None:
    """It says when the page comes to be."""
    with served(empty_workspace(tmp_path / "work")) as workspace:
        documents = [PageReader(workspace).get(path) for path in ("/memory", "/memory/weeks")]
    assert [200, 200] == [document.status for document in documents]
    assert "No week has been judged yet." in documents[1].text


def test_a_plan_that_others_wrote(tmp_path: Path) -> None:
    """It is text, whatever it says; a verdict that nobody knows is shown as it is written."""
    plans = empty_workspace(tmp_path / "work") / "memory" / "archive"
    plans.mkdir()
    verdicts = f"- **<b>gone</b>** [RULE-1]: {HOSTILE}\n  because {HOSTILE}\n- **promoted** [../../x?a=<b>]: y\n"
    (plans / "weekly-2026-W10.md").write_text(f"## Promoted\n{verdicts}")
    with served(plans.parents[1]) as workspace:
        document = PageReader(workspace).get("/memory/weeks")
    assert 200 == document.status
    assert "<img src=x" not in document.html
    assert "<b>" not in document.html
    assert "<bdi>&lt;b&gt;gone&lt;/b&gt;</bdi>" in document.html


def test_reasons_in_the_language(reader: PageReader) -> None:
    """No English reason is left in a plan that no model made."""
    closed = "REMEMBER-20260314-the-lake-road-is-closed-from-20-to-24-april-guests-have-to"
    for language in ("pl", "zh"):
        for path in ("/memory", "/memory/weeks", f"/entries/{closed}"):
            text = PageReader(reader.workspace, language).get(path).text
            assert ("because" in text, "its score" in text) == (False, False)
