"""Conversations on the page: the list, what was said, the summary, and what the next context would hold."""

import re
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.store.opening import FILE, FOLDER
from pipeline.surfaces.http.page.reading import visible
from tests.support.tables import table
from tests.support.workspaces.many_entries import empty_workspace
from tests.support.workspaces.page_reader import PageReader
from tests.support.workspaces.served_demo import ServedWorkspace, served

HOSTILE = "</p><img src=x onerror=alert(1)><script>x</script> \x1b[31mred\x1b[0m \u202egnol " + "y" * 100_000 + " end"
SESSIONS = "/api/v1/sessions"
NAME = "</td><script>alert(2)</script>\u202e"
LOG = "```\n" + "\n".join(f"step {number} of the build took {number % 7} ms" for number in range(900)) + "\n```"


def begin(workspace: ServedWorkspace, session: str, *said: str, user: str = "", **settings: object) -> None:
    """Begin a conversation in which a user and an assistant speak in turn."""
    at = f"?user_id={user}"
    body = {"session_id": session, **settings}
    assert 200 == workspace.ask(f"{SESSIONS}{at}", "POST", body).status
    roles = ("user", "assistant")
    messages = [{"role": roles[place % 2], "text": text} for place, text in enumerate(said)]
    if messages:
        assert 200 == workspace.ask(f"{SESSIONS}/{session}/messages{at}", "POST", messages).status


@pytest.fixture(scope="module")
def talking(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageReader]:
    """A reader of a workspace with some conversations; no test of this module changes them."""
    root = tmp_path_factory.mktemp("talking") / "work"
    shutil.copytree(demo, root)
    with served(root) as workspace:
        begin(workspace, "s1", "The invoice is number 4711, and we do not pay before May.", HOSTILE, tone="dry")
        talk = [f"Room {number} is booked, not free." for number in range(60)]
        begin(workspace, "long", *talk, summary="heuristic_only")
        begin(workspace, "build", "what does it say?", LOG, user="u%26%3D2", tone=NAME, preference_scope="global")
        assert workspace.summary("long")
        yield PageReader(workspace)


def test_there_is_none(tmp_path: Path) -> None:
    """It says how they come, and looking makes no store; one that nobody knows is no error of ours."""
    root = empty_workspace(tmp_path / "work")
    with served(root) as workspace:
        reader = PageReader(workspace)
        assert "No conversation is kept" in reader.get("/conversations").text
        assert "Nothing is stored" in reader.get("/details").text
        assert not (root / FOLDER).exists()
        document = reader.get("/conversations/nothing")
        assert (404, True) == (document.status, "nothing called" in document.text)


def test_the_list(talking: PageReader) -> None:
    """Of all users, the last one first, with who wrote the summary; names are text, filters keep what they say."""
    document = talking.get("/conversations")
    assert document.links.index("/conversations/build") < document.links.index("/conversations/s1")
    assert "u&=2" in document.text
    assert "the owner" in document.text
    only = talking.get("/conversations?user=u%26%3D2")
    assert ["/conversations/build"] == [link for link in only.links if link.startswith("/conversations/")]
    assert "Nothing fits" in talking.get(f"/conversations?agent={'x' * 200}").text
    assert 422 == talking.get("/conversations?page=0").status
    assert "/conversations/s1" in talking.get("/conversations?page=99").links


def test_what_was_said(talking: PageReader) -> None:
    """Messages are text, whatever they say; what colours a terminal can be seen; a long one goes on elsewhere."""
    document = talking.get("/conversations/s1")
    assert "invoice is number 4711" in document.text
    assert "tone : dry" in document.text
    assert ("<img src=x", "<script>x") == tuple(one for one in ("<img src=x", "<script>x") if one in HOSTILE)
    assert not any(one in document.html for one in ("<img src=x", "<script>x", "\x1b"))
    assert "␛[31mred" in document.text
    assert len(document.html) < 40_000
    assert "Shown: 10000 of 1000" in document.text
    whole = [talking.get(f"/conversations/s1/messages/2?page={page}") for page in (1, 2, 11)]
    assert ["Page 1 of 11", "Page 2 of 11"] == [re.findall(r"Page \d+ of 11", one.text)[0] for one in whole[:2]]
    assert "y end" in whole[2].text
    assert "<img src=x" not in whole[0].html
    assert "/conversations/s1/messages/2?page=2" in whole[0].links
    assert [404, 404, 422] == [talking.get(f"/conversations/s1/messages/{at}").status for at in ("3", "0", "x")]


def test_a_long_history_and_its_summary(talking: PageReader) -> None:
    """The newest first, a part at a time; the summary with its range, its lines and how it was made."""
    first = talking.get("/conversations/long")
    assert "Room 59" in first.text
    assert 'class="said" dir="auto">Room 3 ' not in first.html
    assert "Room 3 is booked" in talking.get("/conversations/long?page=3").text
    summary = talking.workspace.ask(f"{SESSIONS}/long").value["summary"]
    assert f"Of messages 1 to {summary['last_number']}, made by code." in first.text
    assert "1, person, denial: Room 0 is booked, not free." in first.text


def test_the_next_context(talking: PageReader) -> None:
    """Its messages in order and its parts with their tokens; what is cut says why; a budget too small says so."""
    document = talking.get("/conversations/long?question=When+%3Cb%3Edo+we%3C%2Fb%3E+pay%3F&budget=2000&layout=seed")
    assert "of 2000 tokens" in document.text
    shown = document.text.partition("The messages, in their order")[2].partition("Left out")[0]
    assert shown.index("summary") < shown.index("history 60") < shown.index("When <b>do we</b> pay?")
    assert "older than the messages that are given word for word" in document.text
    assert "<b>do we" not in document.html
    small = talking.get("/conversations/s1?question=When+do+we+pay%3F&budget=1")
    assert (200, True) == (small.status, "Give a budget of at least" in small.text)
    recalled = talking.get("/conversations/s1?question=Which+lake+road+is+closed%3F&recall=3&layout=cache&budget=")
    assert "lake road" in recalled.text
    assert "of 8000 tokens" in recalled.text
    assert 422 == talking.get("/conversations/s1?question=x&recall=9").status


def test_a_look_at_the_next_context_stores_nothing(talking: PageReader) -> None:
    """A large block shows as its placeholder, which exists only once a program asks for the context."""
    kept = talking.get("/details").text
    document = talking.get("/conversations/build?question=so%3F")
    assert "[MemoryRef: " in document.text
    assert "stored as a detail; its placeholder stands in the message" in document.text
    assert kept == talking.get("/details").text
    key = re.findall(r"MemoryRef: ([\w-]+)", document.text)[0]
    assert 404 == talking.get(f"/details/{key}").status


def test_preferences_by_the_word_of_whom(talking: PageReader) -> None:
    """Those of the session, and those of its user for all sessions; whatever they say is text."""
    document = talking.get("/conversations/build")
    shown = visible(NAME)
    assert 2 == document.text.count(f"tone : {shown}")
    assert "<script>alert" not in document.html
    assert f"语气 : {shown}" in PageReader(talking.workspace, "zh").get("/conversations/build").text
    assert "/clear-global?user=u%26%3D2" in document.links
    assert "tone" not in talking.get("/clear-global").text


def test_taking_away(talking: PageReader) -> None:
    """As Markdown, and as lines to import, each as a file, with what was said in whole."""
    links = talking.get("/conversations/s1").links
    for form in ("md", "jsonl"):
        path = f"/conversations/s1/export?form={form}"
        assert path in links
        answer = talking.get(path)
        assert "4711" in answer.html
        assert "y end" in answer.html
        assert f"conversation.{form}" in answer.headers["content-disposition"]
        assert "text/plain" in answer.headers["content-type"]
    assert 422 == talking.get("/conversations/s1/export?form=exe").status


def test_other_languages(talking: PageReader) -> None:
    """All documents can be made in each."""
    for language, words in (("pl", "Wyczyść lub usuń"), ("zh", "清除或删除")):
        reader = PageReader(talking.workspace, language)
        paths = ("/conversations", "/conversations/build?question=x", "/conversations/s1/messages/2", "/clear-global")
        assert [200] * 4 == [reader.get(path).status for path in paths]
        assert words in reader.get("/conversations/s1/clear").text


def test_summaries_off(changer: PageReader) -> None:
    """The setting is kept; a page of before it was changed changes nothing."""
    begin(changer.workspace, "s1", tone="dry")
    form = changer.get("/conversations/s1").form("/conversations/s1/summary")
    assert "llm_with_fallback" == form.fields["summary"]
    document = changer.post(form, summary="off")
    assert "Done." in document.text
    assert "off" == document.form("/conversations/s1/summary").fields["summary"]
    assert "off" == changer.workspace.ask(f"{SESSIONS}/s1").value["conversation"]["settings"]["summary"]
    assert 409 == changer.post(form, summary="heuristic_only").status
    assert 422 == changer.post(form, summary="never").status


def _no_store(root: Path) -> None:
    (root / FOLDER / FILE).write_bytes(b"this is no database" * 1000)


def _newer_store(root: Path) -> None:
    with sqlite3.connect(root / FOLDER / FILE) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
        connection.execute("INSERT INTO alembic_version VALUES ('999')")
    connection.close()


def _no_server(root: Path) -> None:
    (root / "memory.toml").write_text('[store]\nurl = "postgresql://nobody@/none?host=/nonexistent"\nworkspace = "w"\n')


@table(
    ("spoil", "sentence"),
    [
        (_no_store, "cannot be read as a store"),
        (_newer_store, "newer than this program"),
        (_no_server, "cannot be reached"),
    ],
)
def test_a_store_that_cannot_be_opened(tmp_path: Path, spoil: object, sentence: str) -> None:
    """A document with the sentence, wherever it is needed, and no error of ours."""
    root = empty_workspace(tmp_path / "work")
    (root / FOLDER).mkdir()
    spoil(root)  # type: ignore[operator]
    with served(root) as workspace:
        reader = PageReader(workspace)
        for path in ("/conversations", "/conversations/s1", "/clear-global", "/details", "/details/log_a_0123456789"):
            document = reader.get(path)
            assert (True, True) == (400 <= document.status < 500 or document.status == 503, sentence in document.text)
            assert 'class="top"' in document.html
