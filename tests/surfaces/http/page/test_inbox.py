"""The inbox: deciding about suggestions."""

import re
import shutil
from collections.abc import Sequence
from datetime import timedelta
from html import unescape
from pathlib import Path

import pytest

from pipeline.clock import SystemClock
from pipeline.workspace.files import Workspace
from pipeline.workspace.locks import Locks
from schemas.memory_change import Operation
from tests.support.tables import table
from tests.support.workspaces.page_reader import PageReader, ReadDocument, SentForm
from tests.support.workspaces.suggested import suggest

HOSTILE = '<script>alert(1)</script> "> \u202eesrever\u202c'
LONG = "very " * 70 + "long"
LINE = "the lake road is closed from 20 to 24 april, guests have to come by the forest road"


def _files(reader: PageReader) -> str:
    return "\n".join(path.read_text() for path in sorted(Path(reader.workspace.root, "memory").glob("2026-*.md")))


def _first_new(reader: PageReader) -> SentForm:
    """The form of the first suggestion of a decision."""
    return reader.get("/inbox?kind=decision").form("/inbox/")


def _waiting(document: ReadDocument) -> int:
    """How many suggestions a document says to wait."""
    return int(re.findall(r"(\d+) wait", document.text)[0])


def _listed(document: ReadDocument) -> list[str]:
    """The ids of the listed suggestions, in their order."""
    return list(dict.fromkeys(re.findall(r'<li><a href="/inbox/([0-9a-f]{16})', document.html)))


def _form_of(reader: PageReader, name: str) -> SentForm:
    return reader.get(f"/inbox/{name}").form("/inbox/")


def _chosen(reader: PageReader, names: Sequence[str]) -> list[str]:
    """What is sent when these are ticked."""
    return [f"{name}.{_form_of(reader, name).fields['seen']}" for name in names]


def _sentence(form: SentForm) -> str:
    return form.fields["text"].strip()


def test_it_shows_what_waits(reader: PageReader) -> None:
    """A list of all, and one open: the words around the quote, the sentence, whose word it is, and why it waits."""
    document = reader.get("/inbox")
    names = _listed(document)
    assert (_waiting(document), 1) == (len(names), document.html.count("<article"))
    one = next(one for one in (reader.get(f"/inbox/{name}") for name in names) if "while they pay</mark>" in one.html)
    assert "It waits because it is not certain that you settled it · Whose word: your word" in one.text
    assert "<mark>then a, hold the nights for 15 minutes while they pay</mark>" in one.html
    assert ("a, hold the nights for 15 minutes while they pay", 3) == (
        _sentence(one.form("/inbox/")),
        one.html.count('class="said"'),
    )
    assert {"/inbox", "/entries"} <= {link.partition("?")[0] for link in one.links}
    assert "Nothing fits these filters" in reader.get("/inbox?kind=nothing").text
    assert "Nothing fits these filters" in reader.get("/inbox?agent=main").text


def test_the_way_through_it(reader: PageReader) -> None:
    """Each leads to the next and the one before, in the order of the list; those of one session stand together."""
    document, names = reader.get("/inbox?order=oldest"), _listed(reader.get("/inbox?order=oldest"))
    for at, name in enumerate(names[:3]):
        near = [other for other in (names[at - 1] if at else "", names[at + 1]) if other]
        assert [f"/inbox/{other}?order=oldest" for other in near] == re.findall(
            r'rel="(?:prev|next)" href="([^"]+)"', document.html
        ), name
        document = reader.get(f"/inbox/{names[at + 1]}?order=oldest")
    groups = [
        names.index(name)
        for name in _listed(
            reader.get(
                next(link.replace("&amp;", "&") for link in document.links if link.startswith("/inbox?session="))
            )
        )
    ]
    assert len(groups) > 1
    assert list(range(len(groups))) == [place - min(groups) for place in sorted(groups)]


def test_one_that_the_transcript_has_no_words_for(changer: PageReader) -> None:
    """Its transcript is gone: the quote stands alone, and the page says why."""
    shutil.rmtree(changer.workspace.root / "sessions")
    document = changer.get("/inbox")
    assert "The transcript cannot be read now" in document.text
    assert ('class="said"' in document.html, "<blockquote>" in document.html) == (False, True)


def test_kinds_in_other_languages(reader: PageReader) -> None:
    """Of entries and facts; what is sent stays the name."""
    document = PageReader(reader.workspace, "pl").get("/inbox")
    assert '<option value="decision">decyzja</option>' in document.html
    assert ("<bdi>decyzja</bdi>" in document.html, "<bdi>decision</bdi>" in document.html) == (True, False)


def test_the_order(reader: PageReader) -> None:
    """By when the words were said: the oldest first, or the newest."""
    oldest, newest = (reader.get(f"/inbox?order={order}").text for order in ("oldest", "newest"))
    first, last = "hold the nights for 15 minutes", "hey pull one calendar file"
    assert oldest.index(first) < oldest.index(last)
    assert newest.index(last) < newest.index(first)


def test_accepting_writes_it(changer: PageReader) -> None:
    """What was accepted stands in the file of its day, in the person's words; a link leads to the run."""
    before = _waiting(changer.get("/inbox"))
    document = changer.post(_first_new(changer), text="We do it in my <b>own</b> words", decision="accept")
    assert "Accepted and written. We do it in my <b>own</b> words" in document.text
    assert any(link.startswith("/runs/") for link in document.links)
    assert "We do it in my <b>own</b> words" in _files(changer)
    assert before - 1 == _waiting(changer.get("/inbox"))
    assert "Decisions and rules a suggestion that was accepted done" in changer.get("/runs?job=micro_sync").text


def test_what_it_shows_is_what_it_writes(changer: PageReader) -> None:
    """Each line of the difference stands in the file afterwards, and it waits for who opens it."""
    document = changer.get("/inbox?kind=decision")
    [part] = re.findall(r"<details><summary>All lines.*?</details>", document.html, re.DOTALL)
    shown = "\n".join(unescape(line) for line in re.findall(r'class="added">\+(.*)', part))
    assert ("- confidence: 1.00" in shown, shown in _files(changer)) == (True, False)
    changer.post(document.form("/inbox/"), decision="accept")
    assert shown in _files(changer)


def test_the_next_one_opens(changer: PageReader) -> None:
    """After each answer, with the filters as they were; behind the last one, the one before it."""
    names = _listed(changer.get("/inbox?kind=decision"))
    document, left = changer.get("/inbox?kind=decision"), list(names)
    for decision in ("accept", "decline", "decline"):
        document = changer.post(document.form(f"/inbox/{left.pop(0)}"), decision=decision)
        assert left == _listed(document)
        assert f"/inbox/{left[0]}?kind=decision" == document.form(f"/inbox/{left[0]}").action
    last = changer.get(f"/inbox/{left[-1]}?kind=decision")
    assert changer.post(last.form(f"/inbox/{left[-1]}"), decision="decline").form(f"/inbox/{left[-2]}")


@pytest.mark.parametrize("decision", ["accept", "decline"])
def test_an_answer_is_taken_back(changer: PageReader, decision: str) -> None:
    """By the button beside its notice: it waits again, open; a second time, and a look back, change nothing."""
    before, form = _files(changer), _first_new(changer)
    number = _waiting(changer.get("/inbox"))
    document = changer.post(form, decision=decision)
    assert _sentence(form) in re.sub(r"<li>.*?</li>", "", document.html)
    undo = document.form("/inbox/undo")
    for _ in range(2):
        again = changer.post(undo)
        assert (200, number, before) == (again.status, _waiting(changer.get("/inbox")), _files(changer))
        assert form.fields["seen"] == again.form(form.action.partition("?")[0]).fields["seen"]
    shown = changer.get(f"/inbox?notice={decision}d&done={undo.fields['done']}")
    assert ("It waits again" in shown.text, [one for one in shown.forms if "undo" in one.action]) == (True, [])


def test_words_of_a_person(changer: PageReader) -> None:
    """None are refused; a secret in them is masked, as at a terminal."""
    form, before = _first_new(changer), _files(changer)
    late = changer.post(form, text=" \n ", decision="accept")
    assert (400, True) == (late.status, "There are no words, so nothing was decided." in late.text)
    assert before == _files(changer)
    key = "sk-proj-4f8Kq2LmZ7xTb9Vd3NcR5yWh1JgPaEsU6iOtQmXn"
    changer.post(form, text=f"The key is {key}", decision="accept")
    assert ("The key is" in _files(changer), key in _files(changer)) == (True, False)


def test_declining_keeps_it_away(changer: PageReader) -> None:
    """Nothing is written, and it waits no longer."""
    before, number = _files(changer), _waiting(changer.get("/inbox"))
    form = _first_new(changer)
    document = changer.post(form, decision="decline")
    assert f"Declined; it does not come back. {_sentence(form)}" in document.text
    assert number - 1 == _waiting(changer.get("/inbox"))
    assert before == _files(changer)


def test_two_tabs(changer: PageReader) -> None:
    """What one tab has decided, the other one cannot decide otherwise; it says what happened, and keeps the words."""
    form = _first_new(changer)
    changer.post(form, decision="decline")
    late = changer.post(form, decision="accept")
    assert (409, True) == (late.status, "has changed since the page was shown" in late.text)
    assert f"Declined meanwhile: {_sentence(form)}" in late.text
    typed = changer.post(form, decision="accept", text="My <own> words")
    assert (409, True) == (typed.status, "My <own> words" in typed.text)
    same = changer.post(form, decision="decline")
    assert (200, True) == (same.status, "Declined; it does not come back." in same.text)
    assert (200, "/inbox/undo") == (changer.get(form.action).status, same.form("/inbox/undo").action.partition("?")[0])
    never = changer.post(SentForm("/inbox/0123456789abcdef", form.fields), decision="accept")
    assert (404, True) == (never.status, "does not wait any more" in never.text)


def test_an_old_page(changer: PageReader) -> None:
    """A suggestion that reads otherwise by now is left alone."""
    before = _files(changer)
    late = changer.post(_first_new(changer), seen="0123456789abcdef", decision="accept")
    assert (409, True) == (late.status, "has changed since the page was shown" in late.text)
    assert before == _files(changer)


def test_several_at_once(changer: PageReader) -> None:
    """What is ticked is decided together; with one of an old page among them nothing is, and it is named."""
    before = changer.get("/inbox")
    form, names, number = SentForm("/inbox"), _listed(before), _waiting(before)
    ticked = _chosen(changer, names[:2])
    document = changer.post(form, decision="accept", chosen=ticked)
    assert ("Accepted and written." in document.text, number - 2) == (True, _waiting(changer.get("/inbox")))
    assert 2 == len([link for link in document.links if link.startswith("/runs/")])
    again, old = _chosen(changer, names[2:3]), f"{names[3]}.0123456789abcdef"
    for more, said in ((ticked, "Accepted meanwhile:"), ([old], _sentence(_form_of(changer, names[3])))):
        late = changer.post(form, decision="decline", chosen=[*more, *again])
        assert (409, True, number - 2) == (late.status, said in late.text, _waiting(changer.get("/inbox")))
    runs = [link.removeprefix("/runs/") for link in document.links if link.startswith("/runs/")]
    assert number == _waiting(changer.post(document.form("/inbox/undo"), done=names[:2], run=runs))
    nothing = changer.post(form, decision="decline")
    assert (400, True) == (nothing.status, "Nothing was ticked" in nothing.text)


def test_the_same_for_those_like_it(changer: PageReader) -> None:
    """Of the same session and kind, or with the same reason: listed and ticked, each as it is shown."""
    document = changer.get("/inbox")
    form = next(form for form in document.forms if form.action == "/inbox" and "chosen" in form.fields)
    chosen = re.findall(r'name="chosen" value="([^"]+)" checked', document.html)
    assert f"The same answer for these {len(chosen)}" in document.text
    assert 200 == changer.post(form, decision="decline", chosen=chosen).status
    assert _waiting(document) - len(chosen) == _waiting(changer.get("/inbox"))


def test_another_process_is_at_work(changer: PageReader) -> None:
    """What was accepted is kept, and the document says that the next run writes it."""
    form, before, number = _first_new(changer), _files(changer), _waiting(changer.get("/inbox"))
    now = SystemClock().now()
    with Locks(Workspace(changer.workspace.root).lock_folder).hold(["micro_sync"], "r-1", now + timedelta(minutes=1)):
        document = changer.post(form, decision="accept")
    assert "Another process is at work on the files; the next run writes it." in document.text
    assert (number - 1, before) == (_waiting(changer.get("/inbox")), _files(changer))
    changer.post(document.form("/inbox/undo"))
    assert number == _waiting(changer.get("/inbox"))


def test_a_change_of_a_memory(changer: PageReader) -> None:
    """The old and the new line, with whose word it is; nothing in it is markup."""
    root = changer.workspace.root
    line = next(form.fields["line"] for form in changer.get("/agents/main").forms if "line" in form.fields)
    assert "suggested" == suggest(root, "main", Operation.UPDATE, f"{HOSTILE} {LONG}"[:400], line).result
    assert "suggested" == suggest(root, "main", Operation.DELETE, "", line).result
    names = _listed(changer.get("/inbox?agent=main"))
    shown = [changer.get(f"/inbox/{name}?agent=main") for name in names]
    assert 2 == len(names)
    for document in shown:
        assert "<script>alert" not in document.html
        assert "confirmed by nobody" in document.text
        assert 1 == document.html.count('class="old"')
    # A removal has no words.
    assert [False, True] == sorted("text" in document.form("/inbox/").fields for document in shown)


def test_a_change_that_can_no_longer_be_made(changer: PageReader) -> None:
    """The sentence says why nothing was written, and it waits on."""
    root = changer.workspace.root
    line = next(form.fields["line"] for form in changer.get("/agents/main").forms if "line" in form.fields)
    for words in ("It is open again", "It is closed for good"):
        suggest(root, "main", Operation.UPDATE, words, line)
    first, second = (_form_of(changer, name) for name in _listed(changer.get("/inbox?agent=main")))
    assert "Accepted and written. It was opened" in changer.post(first, decision="accept", text="It was opened").text
    late = changer.post(second, decision="accept")
    assert (409, True) == (late.status, "has changed since, so nothing was written" in late.text)
    typed = changer.post(second, decision="accept", text="It is <open>")
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


@table("query", ["page=0", "order=by-size", "run=<b>", "done=<b>", "page=x"])
def test_an_address_that_is_none(reader: PageReader, query: str) -> None:
    """A sentence in a document."""
    late = reader.get(f"/inbox?{query.replace('<', '%3C').replace('>', '%3E')}")
    assert (422, True) == (late.status, "<html" in late.html)
