"""The inbox: deciding about suggestions."""

from pathlib import Path

from tests.support.workspaces.page_reader import PageReader, SentForm


def _files(reader: PageReader) -> str:
    return "\n".join(path.read_text() for path in sorted(Path(reader.workspace.root, "memory").glob("2026-*.md")))


def _first_new(reader: PageReader) -> SentForm:
    """The form, with words, of the first suggestion of an entry."""
    return next(form for form in reader.get("/inbox?kind=decision").forms if "text" in form.fields)


def test_it_shows_what_waits(reader: PageReader) -> None:
    """With the words that were said, what would be written, why it waits, and only what the filter keeps."""
    document = reader.get("/inbox")
    assert "Suggestions that wait: 9." in document.text
    assert "+## Decision" in document.text
    assert "Accept it in other words" in document.text
    assert "Nothing waits for you" in reader.get("/inbox?kind=nothing").text


def test_accepting_writes_it(changer: PageReader) -> None:
    """What was accepted stands in the file of its day, in the person's words; a link leads to the run."""
    document = changer.post(_first_new(changer), text="We do it in my <b>own</b> words", decision="edit")
    assert "Accepted. It is written." in document.text
    assert any(link.startswith("/runs/") for link in document.links)
    assert "We do it in my <b>own</b> words" in _files(changer)
    assert "Suggestions that wait: 8." in document.text


def test_declining_keeps_it_away(changer: PageReader) -> None:
    """Nothing is written, and it waits no longer."""
    before = _files(changer)
    document = changer.post(_first_new(changer), decision="decline")
    assert "Declined" in document.text
    assert "Suggestions that wait: 8." in document.text
    assert before == _files(changer)


def test_two_tabs(changer: PageReader) -> None:
    """What one tab has decided, the other one cannot decide again: it says that it waits no longer."""
    form = _first_new(changer)
    changer.post(form, decision="decline")
    late = changer.post(form, decision="accept")
    assert (404, True) == (late.status, "There is no suggestion" in late.text)


def test_an_old_page(changer: PageReader) -> None:
    """A suggestion that reads otherwise by now is left alone."""
    before = _files(changer)
    late = changer.post(_first_new(changer), seen="0123456789abcdef", decision="accept")
    assert (409, True) == (late.status, "has changed since the page was shown" in late.text)
    assert before == _files(changer)


def test_what_is_no_decision(changer: PageReader) -> None:
    """A form with other words is refused, and the sentence is a document."""
    late = changer.post(_first_new(changer), decision="burn")
    assert (422, True) == (late.status, "<html" in late.html)
