"""Details on the page: the list, reading in parts, pinning and deleting."""

import pytest

from tests.support.workspaces.page_reader import PageReader

LINES = 20_000


@pytest.fixture
def storing(changer: PageReader) -> tuple[PageReader, str]:
    """A reader, and the key of a text of many lines, one of which is an error."""
    lines = [f"step {number} <b>ok</b>" for number in range(LINES)]
    lines[12_345] = "ERROR: disk full at step 12345"
    wanted = {"content": "\n".join(lines), "description": "<script>build</script>", "thread_id": "t1", "type": "log"}
    answer = changer.workspace.ask("/api/v1/memories", "POST", wanted)
    return changer, answer.value["key"]


def test_there_is_none(changer: PageReader) -> None:
    """It says how they come; filters that fit nothing say so; an unknown key is answered once and for all."""
    assert "Nothing fits these filters" in changer.get("/details?words=nothing-like-this").text
    document = changer.get("/details/cmd_nothing_0123456789")
    assert (410, True) == (document.status, "<html" in document.html)


def test_the_list(storing: tuple[PageReader, str]) -> None:
    """By thread; what it is called is text."""
    reader, key = storing
    document = reader.get("/details?thread=t1&type=log")
    assert f"/details/{key}" in document.links
    assert "<script>build" not in document.html
    assert "Stored: 1." in document.text


def test_reading_in_parts(storing: tuple[PageReader, str]) -> None:
    """Page by page, some lines, or those with words; what is not there is a sentence."""
    reader, key = storing
    first = reader.get(f"/details/{key}")
    assert "<b>ok</b>" not in first.html
    following = next(link for link in first.links if "page=2" in link)
    assert "page 2 of" in reader.get(following).text
    assert "ERROR: disk full" in reader.get(f"/details/{key}?lines=12340-12350").text
    matches = reader.get(f"/details/{key}?query=disk+full")
    assert "matches: 1" in matches.text
    assert "No line has these words" in reader.get(f"/details/{key}?query=zzzz").text
    assert 'role="alert"' in reader.get(f"/details/{key}?lines=99999999").html


def test_pinning(storing: tuple[PageReader, str]) -> None:
    """Pinned, it never expires; and back."""
    reader, key = storing
    pinned = reader.post(reader.get(f"/details/{key}").form(f"/details/{key}/pin"))
    assert "It never expires" in pinned.text
    assert f"/details/{key}" in reader.get("/details?pinned=true").links
    assert "Unpinned" in reader.post(pinned.form(f"/details/{key}/pin")).text


def test_deleting(storing: tuple[PageReader, str]) -> None:
    """First what would go; an old page deletes nothing; then it is gone, in the search too."""
    reader, key = storing
    ask = reader.get(f"/details/{key}/delete")
    reader.post(reader.get(f"/details/{key}").form(f"/details/{key}/pin"))
    assert 409 == reader.post(ask.form(f"/details/{key}/delete")).status
    gone = reader.post(reader.get(f"/details/{key}/delete").form(f"/details/{key}/delete"))
    assert "Deleted." in gone.text
    assert 410 == reader.get(f"/details/{key}").status
    assert key not in reader.get("/search?query=disk+full&tier=detail").text
