"""Details on the page: the list, reading in parts, pinning and deleting."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.support.workspaces.page_reader import PageReader
from tests.support.workspaces.served_demo import served

LINES = 50_000
THREAD = "</a><script>t1</script>"


def _stored(reader: PageReader, lines: list[str], **about: object) -> str:
    wanted = {"content": "\n".join(lines), "thread_id": THREAD, "type": "log", **about}
    answer = reader.workspace.ask("/api/v1/memories", "POST", wanted)
    return str(answer.value["key"])


def _steps() -> list[str]:
    lines = [f"step {number} <b>ok</b>" for number in range(1, LINES + 1)]
    lines[12_344] = "ERROR: \x1b[31mdisk full\x1b[0m at step 12345 \u202egnol"
    return lines


@pytest.fixture(scope="module")
def storing(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[PageReader, str]]:
    """A reader, and the key of a text of many lines, one of which is an error; no test of it changes anything."""
    root = tmp_path_factory.mktemp("storing") / "work"
    shutil.copytree(demo, root)
    with served(root) as workspace:
        reader = PageReader(workspace)
        for number in range(60):
            _stored(reader, [f"{number}"] * 800, thread_id="many", type="text")
        command = {"type": "command", "command": "npm <i>install</i>", "exit_code": 1, "thread_id": ""}
        _stored(reader, _steps()[:900], **command)
        yield reader, _stored(reader, _steps(), description="<script>build</script>")


@pytest.fixture
def changing_one(changer: PageReader) -> tuple[PageReader, str]:
    """A reader, and the key of a text that may be changed."""
    return changer, _stored(changer, _steps()[:20_000], command="make <all>")


def test_what_fits_nothing(storing: tuple[PageReader, str]) -> None:
    """Filters that fit nothing say so; an unknown key is answered once and for all."""
    reader, _ = storing
    assert "Nothing fits these filters" in reader.get("/details?words=nothing-like-this").text
    for path in ("/details/cmd_nothing_0123456789", "/details/x", "/details/x/delete", f"/details/{quote('<b>ą')}"):
        document = reader.get(path)
        assert (404, True) == (document.status, "There is nothing called" in document.text)
        assert "<b>ą" not in document.html
    assert [422, 422] == [reader.get(f"/details?{query}").status for query in ("type=lie", "page=0")]


def test_the_list(storing: tuple[PageReader, str]) -> None:
    """The newest first, fifty at a time, by thread, type and words; whatever something is called is text."""
    reader, key = storing
    first = reader.get("/details")
    keys = [link for link in first.links if re.fullmatch(r"/details/[\w-]+", link)]
    assert (f"/details/{key}", 50) == (keys[0], len(keys))
    assert f"/details?{'page=2'}" in first.links
    assert "many : 60" in first.text
    assert "<script>" not in first.html.replace("<script src=", "")
    document = reader.get(f"/details?thread={quote(THREAD)}&type=log&words=&pinned=false")
    assert f"/details/{key}" in document.links
    assert "Stored: 1." in document.text
    command = reader.get("/details?type=command&thread=&words=%3Ci%3Einstall")
    assert "Stored: 1." in command.text
    assert "<i>" not in command.html
    assert "Nothing fits" in reader.get("/details?pinned=true").text
    assert "Page 2 of 2" in reader.get("/details?page=99&thread=many").text


def test_what_is_known_of_one(storing: tuple[PageReader, str]) -> None:
    """How long it is, when it goes, and what stands for it in a context."""
    reader, key = storing
    document = reader.get(f"/details/{key}")
    assert f"[MemoryRef: {key} - <script>build</script>: 50000 lines" in document.text
    assert "Lines 1 to" in document.text
    assert "<script>build" not in document.html
    assert f"/details?thread={quote(THREAD, safe='')}" in document.links


def test_reading_in_parts(storing: tuple[PageReader, str]) -> None:
    """Page by page, or some lines to their end, with their numbers; what is not there is a sentence."""
    reader, key = storing
    first = reader.get(f"/details/{key}")
    assert "<b>ok</b>" not in first.html
    assert '<li value="1"><code dir="auto">step 1 &lt;b&gt;ok&lt;/b&gt;</code></li>' in first.html
    following = next(link for link in first.links if "page=2" in link)
    assert "page 2 of" in reader.get(following).text
    path, read = f"/details/{key}?lines=12000-13500", list[int]()
    while path:
        document = reader.get(path)
        read += [int(number) for number in re.findall(r'<li value="(\d+)"', document.html)]
        path = next((link for link in document.links if link.startswith(f"/details/{key}?")), "")
    assert list(range(12_000, 13_501)) == read
    sentences = {"lines=99999999": "the text has 50000", "lines=x": "names no lines", "page=99999": "the last one is"}
    for query, sentence in sentences.items():
        document = reader.get(f"/details/{key}?{query}")
        assert (200, True) == (document.status, sentence in document.text)


def test_reading_by_words(storing: tuple[PageReader, str]) -> None:
    """The lines with the words, marked, and their neighbours; what colours a terminal can be seen."""
    reader, key = storing
    document = reader.get(f"/details/{key}?query=DISK+full")
    assert "matches: 1" in document.text
    assert '<li value="12345" class="hit">' in document.html
    assert "<mark>disk full</mark>" in document.html
    assert "␛[31m" in document.text
    assert "\x1b" not in document.html
    assert ["12343", "12344", "12345", "12346", "12347"] == re.findall(r'<li value="(\d+)"', document.html)
    many = reader.get(f"/details/{key}?query=step")
    assert "matches: 50000" in many.text
    assert any("query=step&page=2" in link for link in many.links)
    assert "No line has these words" in reader.get(f"/details/{key}?query=zzzz").text


def test_pinning(changing_one: tuple[PageReader, str]) -> None:
    """Pinned, it never expires; and back."""
    reader, key = changing_one
    pinned = reader.post(reader.get(f"/details/{key}").form(f"/details/{key}/pin"))
    assert "It never expires" in pinned.text
    assert f"/details/{key}" in reader.get("/details?pinned=true").links
    assert "Unpinned" in reader.post(pinned.form(f"/details/{key}/pin")).text


def test_deleting(changing_one: tuple[PageReader, str]) -> None:
    """First what would go; an old page deletes nothing; then it is gone, in the search too."""
    reader, key = changing_one
    ask = reader.get(f"/details/{key}/delete")
    assert "Lines : 20000" in ask.text.replace("Lines:", "Lines :")
    reader.post(reader.get(f"/details/{key}").form(f"/details/{key}/pin"))
    assert 409 == reader.post(ask.form(f"/details/{key}/delete")).status
    now = reader.get(f"/details/{key}/delete")
    assert "It is pinned" in now.text
    gone = reader.post(now.form(f"/details/{key}/delete"))
    assert "Deleted." in gone.text
    assert "make <all>" in gone.text
    document = reader.get(f"/details/{key}")
    assert (404, True) == (document.status, "There is nothing called" in document.text)
    assert key not in reader.get("/search?query=disk+full&tier=detail").text
