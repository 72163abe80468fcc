"""The search on the page."""

import shutil
from pathlib import Path
from urllib.parse import quote

from tests.support.tables import table
from tests.support.workspaces.page_reader import PageReader


def test_hits_with_their_places(reader: PageReader) -> None:
    """The words are marked, the place and the standing are there, and a hit leads to its story."""
    document = reader.get("/search?query=lake+road")
    assert "<mark>lake</mark>" in document.html.lower()
    assert "memory/2026-03-14.md:" in document.text
    assert "your word" in document.text
    assert any(link.startswith("/entries/REMEMBER-20260314") for link in document.links)


def test_words_that_were_replaced_name_what_holds(reader: PageReader) -> None:
    """Where they were said, with a way to the entry and its words."""
    document = reader.get("/search?query=deposit+30+percent+from+april&tier=said")
    line = next(part for part in document.html.split('<li class="line">') if "no exceptions" in part)
    badge = line.partition('class="badge superseded">')[2].partition("<")[0]
    assert ("replaced", True) == (badge, "back to 20 percent deposit" in line)
    assert 'href="/entries/RULE-20260313-from-now-on' in line


def test_filters_keep_their_values(reader: PageReader) -> None:
    """What was asked for stands in the form again; empty fields say nothing."""
    filters = "tier=all&kind=decision&status=&since=2026-03-01&until=&as_of=2026-03-10"
    document = reader.get(f"/search?query=deposit&{filters}")
    form = next(form for form in document.forms if "since" in form.fields)
    assert ("deposit", "2026-03-01", "2026-03-10") == tuple(form.fields[name] for name in ("query", "since", "as_of"))
    assert "decision" in document.text


def test_without_a_question(reader: PageReader) -> None:
    """It says what can be asked."""
    assert "Ask for anything that is remembered" in reader.get("/search").text
    assert "Ask for anything that is remembered" in reader.get("/search?query=++").text


@table("query", ["<script>alert(1)</script>", "\u202e((((", "a" * 4000, "%00", "*?[]\\"])
def test_any_question(reader: PageReader, query: str) -> None:
    """It is text, whatever it says."""
    document = reader.get(f"/search?query={quote(query)}")
    assert (200, False) == (document.status, "<script>alert" in document.html)


def test_no_hit(reader: PageReader) -> None:
    """It says what to try."""
    assert "Nothing was found" in reader.get("/search?query=zzzzqqqq&status=archived").text


def test_what_has_none_of_the_words_is_folded_away(reader: PageReader) -> None:
    """Without an embedder all of it, and the page does not say that it is alike in meaning, which nobody compared."""
    document = reader.get("/search?query=cabin")
    shown, _, below = document.html.partition("<details><summary>Without these words")
    folded, _, _ = below.partition("</details>")
    assert (True, False, True) == ("<mark>" in shown, "<mark>" in folded, '<li class="line">' in folded)
    assert "Alike in meaning" not in document.text


def test_a_question_with_words_that_no_page_has(reader: PageReader) -> None:
    """The first sentence says so, and what is near is folded away."""
    document = reader.get("/search?query=refund&kind=rule")
    shown = document.html.partition("<details><summary>Without these words")[0]
    assert ("No page has these words" in document.text, '<li class="line">' in shown) == (True, False)


def test_every_filter_has_a_chip(reader: PageReader) -> None:
    """Its chip is a link to the same search without it."""
    document = reader.get("/search?query=deposit&kind=rule&as_of=2026-03-10&tier=auto")
    assert {"/search?query=deposit&as_of=2026-03-10", "/search?query=deposit&kind=rule"} <= set(document.links)
    assert "As of: 2026-03-10" in document.text


def test_a_day_of_the_past_is_not_answered_from_later(reader: PageReader) -> None:
    """Neither by an entry nor by a line of a summary that is of a later day."""
    document = reader.get("/search?query=deposit&tier=all&as_of=2026-03-11")
    assert ("goes up to 30 percent" in document.text, "back to 20 percent" in document.text) == (True, False)


def test_what_was_left_out_is_named_by_its_words(reader: PageReader) -> None:
    """It is a link to the entry that was replaced, with its day; no id, and nothing about another question."""
    document = reader.get("/search?query=deposit")
    left_out = document.html.partition("a later decision replaced it")[2].partition("</p>")[0]
    assert ("goes up to 30 percent" in left_out, "2026-03-02" in left_out) == (True, True)
    assert "a later decision replaced it" not in reader.get("/search?query=pranie").text


def test_filters_that_do_not_go_together(reader: PageReader) -> None:
    """The form is shown again with its question, and the sentence says why there is no answer."""
    document = reader.get("/search?query=heron&tier=detail&project=p")
    form = next(form for form in document.forms if "since" in form.fields)
    assert (200, "heron") == (document.status, form.fields["query"])
    assert "project is for the memory alone" in document.text


def test_a_question_that_is_too_long(reader: PageReader) -> None:
    """A note says that its first characters count."""
    document = reader.get(f"/search?query={'a' * 4001}")
    assert (200, True) == (document.status, "Only the first 4,000 characters" in document.text)


def test_an_index_that_is_damaged(changer: PageReader) -> None:
    """The sentence that says why there is no answer, or the answer of an index that was made anew; no error of ours."""
    index = Path(changer.workspace.root, ".memory", "index")
    shutil.rmtree(index)
    index.write_text("no folder")
    document = changer.get("/search?query=lake")
    assert 200 == document.status
    assert "Here is how the index stands" in document.text or "Hits:" in document.text
