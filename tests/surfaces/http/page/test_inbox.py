"""The inbox: deciding about suggestions."""

import re
from datetime import timedelta
from html import unescape
from pathlib import Path

import pytest

from pipeline.clock import SystemClock
from pipeline.reports.suggestions import SHOWN
from pipeline.workspace.files import Workspace
from pipeline.workspace.locks import Locks
from schemas.memory_change import Operation
from tests.support.workspaces.page_reader import PageReader, ReadDocument, SentForm
from tests.support.workspaces.suggested import suggest

HOSTILE = '<script>alert(1)</script> "> \u202eesrever\u202c'
LONG = "very " * 70 + "long"
LINE = "the lake road is closed from 20 to 24 april, guests have to come by the forest road"


def _files(reader: PageReader) -> str:
    return "\n".join(path.read_text() for path in sorted(Path(reader.workspace.root, "memory").glob("2026-*.md")))


def _first_new(reader: PageReader) -> SentForm:
    """The form, with words, of the first suggestion of an entry."""
    return next(form for form in reader.get("/inbox?kind=decision").forms if "text" in form.fields)


def _waiting(document: ReadDocument) -> int:
    """How many suggestions a document says to wait."""
    return int(re.findall(r"wait: (\d+)\.", document.text)[0])


def _chosen(document: ReadDocument, number: int) -> list[str]:
    """What is sent when the first ones are ticked."""
    forms = [form for form in document.forms if form.action.startswith("/inbox/") and "text" not in form.fields]
    return [f"{form.action.removeprefix('/inbox/')}.{form.fields['seen']}" for form in forms[:number]]


def _parts(reader: PageReader, order: str) -> list[ReadDocument]:
    """All parts of the inbox."""
    first = reader.get(f"/inbox?order={order}")
    parts = range(2, -(-_waiting(first) // SHOWN) + 1)
    return [first, *(reader.get(f"/inbox?order={order}&page={part}") for part in parts)]


def test_it_shows_what_waits(reader: PageReader) -> None:
    """With the words that were said, what would be written, whose word it is, why it waits, and where it was said."""
    parts = _parts(reader, "best")
    assert _waiting(parts[0]) == sum(part.html.count("<article") for part in parts)
    assert {SHOWN} == {part.html.count("<article") for part in parts[:-1]}
    text = "\n".join(part.text for part in parts)
    for words in (
        "+## Decision",
        "Accept it in other words",
        "it is not sure enough",
        "Whose word yours",
        "messages ",
    ):
        assert words in text
    assert "hold the nights for 15 minutes while they pay" in text
    assert "Nothing that waits fits" in reader.get("/inbox?kind=nothing").text
    assert "Nothing that waits fits" in reader.get("/inbox?agent=main").text


def test_kinds_in_other_languages(reader: PageReader) -> None:
    """Of entries and facts; what is sent stays the name."""
    document = PageReader(reader.workspace, "pl").get("/inbox")
    assert '<option value="decision">decyzja</option>' in document.html
    assert ("<bdi>decyzja</bdi>" in document.html, "<bdi>decision</bdi>" in document.html) == (True, False)


def test_the_order(reader: PageReader) -> None:
    """By when the words were said: the oldest first, or the newest."""
    oldest, newest = ("\n".join(part.text for part in _parts(reader, order)) for order in ("oldest", "newest"))
    first, last = "hold the nights for 15 minutes", "hey pull one calendar file"
    assert oldest.index(first) < oldest.index(last)
    assert newest.index(last) < newest.index(first)


def test_accepting_writes_it(changer: PageReader) -> None:
    """What was accepted stands in the file of its day, in the person's words; a link leads to the run."""
    before = _waiting(changer.get("/inbox"))
    document = changer.post(_first_new(changer), text="We do it in my <b>own</b> words", decision="edit")
    assert "Accepted. It is written." in document.text
    assert any(link.startswith("/runs/") for link in document.links)
    assert "We do it in my <b>own</b> words" in _files(changer)
    assert before - 1 == _waiting(document)
    assert "Decisions and rules a suggestion that was accepted done" in changer.get("/runs?job=micro_sync").text


def test_what_it_shows_is_what_it_writes(changer: PageReader) -> None:
    """Each line of the difference stands in the file afterwards; the short one has those that say something."""
    document = changer.get("/inbox?kind=decision")
    short, shown = (
        [unescape(line) for line in re.findall(r'class="added">\+(.*)', part)]
        for part in re.findall(r'<pre class="diff".*?</pre>', document.html, re.DOTALL)[:2]
    )
    assert ("- confidence: 1.00" in shown, "\n".join(shown) in _files(changer)) == (True, False)
    assert ("- confidence: 1.00" in short, [line for line in shown if line in short]) == (True, short)
    assert [] == [line for line in short if line.startswith(("- id:", "  - ", "- check:")) or line.endswith(":")]
    changer.post(document.form("/inbox/"), decision="accept")
    assert "\n".join(shown) in _files(changer)


def test_words_of_a_person(changer: PageReader) -> None:
    """None are refused; a secret in them is masked, as at a terminal."""
    form, before = _first_new(changer), _files(changer)
    late = changer.post(form, text=" \n ", decision="edit")
    assert (400, True) == (late.status, "There are no words, so nothing was decided." in late.text)
    assert before == _files(changer)
    key = "sk-proj-4f8Kq2LmZ7xTb9Vd3NcR5yWh1JgPaEsU6iOtQmXn"
    changer.post(form, text=f"The key is {key}", decision="edit")
    assert ("The key is" in _files(changer), key in _files(changer)) == (True, False)


def test_declining_keeps_it_away(changer: PageReader) -> None:
    """Nothing is written, and it waits no longer."""
    before, number = _files(changer), _waiting(changer.get("/inbox"))
    document = changer.post(_first_new(changer), decision="decline")
    assert "Declined" in document.text
    assert number - 1 == _waiting(document)
    assert before == _files(changer)


def test_two_tabs(changer: PageReader) -> None:
    """What one tab has decided, the other one cannot decide again; one that never was is unknown."""
    form = _first_new(changer)
    changer.post(form, decision="decline")
    late = changer.post(form, decision="accept")
    assert (409, True) == (late.status, "has changed since the page was shown" in late.text)
    never = changer.post(SentForm("/inbox/0123456789abcdef", form.fields), decision="accept")
    assert (404, True) == (never.status, "no suggestion" in never.text)


def test_an_old_page(changer: PageReader) -> None:
    """A suggestion that reads otherwise by now is left alone."""
    before = _files(changer)
    late = changer.post(_first_new(changer), seen="0123456789abcdef", decision="accept")
    assert (409, True) == (late.status, "has changed since the page was shown" in late.text)
    assert before == _files(changer)


def test_several_at_once(changer: PageReader) -> None:
    """What is ticked is decided together; with one of an old page among them nothing is."""
    before = changer.get("/inbox")
    form, ticked, number = SentForm("/inbox"), _chosen(before, 2), _waiting(before)
    document = changer.post(form, decision="accept", chosen=ticked)
    assert ("Accepted. It is written." in document.text, number - 2) == (True, _waiting(document))
    assert 2 == len([link for link in document.links if link.startswith("/runs/")])
    again = _chosen(document, 1)
    assert 409 == changer.post(form, decision="decline", chosen=[*ticked, *again]).status
    assert number - 2 == _waiting(changer.get("/inbox"))
    assert number - 3 == _waiting(changer.post(form, decision="decline", chosen=again))
    nothing = changer.post(form, decision="decline")
    assert (400, True) == (nothing.status, "Nothing was ticked" in nothing.text)


def test_another_process_is_at_work(changer: PageReader) -> None:
    """What was accepted is kept, and the document says that the next run writes it."""
    form, before, number = _first_new(changer), _files(changer), _waiting(changer.get("/inbox"))
    now = SystemClock().now()
    with Locks(Workspace(changer.workspace.root).lock_folder).hold(["micro_sync"], "r-1", now + timedelta(minutes=1)):
        document = changer.post(form, decision="accept")
    assert "Another process is at work on the files; the next run writes it." in document.text
    assert (number - 1, before) == (_waiting(document), _files(changer))


def test_a_change_of_a_memory(changer: PageReader) -> None:
    """The old and the new line, with whose word it is; nothing in it is markup."""
    root = changer.workspace.root
    line = next(form.fields["line"] for form in changer.get("/agents/main").forms if "line" in form.fields)
    assert "suggested" == suggest(root, "main", Operation.UPDATE, f"{HOSTILE} {LONG}"[:400], line).result
    assert "suggested" == suggest(root, "main", Operation.DELETE, "", line).result
    document = changer.get("/inbox?agent=main")
    assert 2 == document.html.count("<article")
    assert "<script>alert" not in document.html
    assert "confirmed by nobody" in document.text
    assert 2 == document.html.count('class="removed">-')
    assert 1 == document.html.count('class="added">+')
    assert 1 == len([form for form in document.forms if "text" in form.fields])  # a removal has no words


def test_a_change_that_can_no_longer_be_made(changer: PageReader) -> None:
    """The sentence says why nothing was written, and it waits on."""
    root = changer.workspace.root
    line = next(form.fields["line"] for form in changer.get("/agents/main").forms if "line" in form.fields)
    for words in ("It is open again", "It is closed for good"):
        suggest(root, "main", Operation.UPDATE, words, line)
    first, second = (form for form in changer.get("/inbox?agent=main").forms if "text" in form.fields)
    assert "Accepted. It is written." in changer.post(first, decision="edit", text="It was opened").text
    late = changer.post(second, decision="accept")
    assert (409, True) == (late.status, "has changed since, so nothing was written" in late.text)
    typed = changer.post(second, decision="edit", text="It is <open>")
    assert (409, True) == (typed.status, "It is <open>" in typed.text)


def test_an_error_leads_back(reader: PageReader) -> None:
    """To the list as it was filtered, as far as the browser says where it came from; never to another site."""
    nothing = SentForm("/inbox", {"decision": "accept"})
    assert "/inbox" in reader.post(nothing).links[-3:]
    workspace = reader.workspace
    for came, link in (
        (f"{workspace.address}/inbox?order=newest", "/inbox?order=newest"),
        ("http://a.example/x", "/inbox"),
    ):
        late = workspace.ask("/inbox/s-none", accept="text/html", referer=came)
        assert f'<a href="{link}">Back to where you were</a>' in late.body.decode()


@pytest.mark.parametrize(("field", "value"), [("decision", "burn"), ("text", "x" * 20_001)])
def test_what_is_no_decision(changer: PageReader, field: str, value: str) -> None:
    """A form with other words is refused, and the sentence is a document."""
    late = changer.post(_first_new(changer), **{"decision": "accept", field: value})
    assert (422, True) == (late.status, "<html" in late.html)


@pytest.mark.parametrize("query", ["page=0", "order=by-size", "run=<b>", "page=x"])
def test_an_address_that_is_none(reader: PageReader, query: str) -> None:
    """A sentence in a document."""
    late = reader.get(f"/inbox?{query.replace('<', '%3C').replace('>', '%3E')}")
    assert (422, True) == (late.status, "<html" in late.html)
