"""Conversations on the page: what was said, the next context, clearing and deleting."""

from pathlib import Path

import pytest

from tests.support.workspaces.page_reader import PageReader

HOSTILE = "<img src=x onerror=alert(1)> \x1b[31mred\x1b[0m \u202egnol " + "y" * 100_000
SESSIONS = "/api/v1/sessions"


@pytest.fixture
def talking(changer: PageReader) -> PageReader:
    """A reader of a workspace with one conversation."""
    said = [
        {"role": "user", "text": "The invoice is number 4711, and we do not pay before May."},
        {"role": "assistant", "text": HOSTILE},
    ]
    assert 200 == changer.workspace.ask(SESSIONS, "POST", {"session_id": "s1", "tone": "dry"}).status
    assert 200 == changer.workspace.ask(f"{SESSIONS}/s1/messages", "POST", said).status
    return changer


def test_there_is_none(reader: PageReader) -> None:
    """It says how they come; one that nobody knows is no error of ours."""
    assert "No conversation is kept" in reader.get("/conversations?user=nobody").text
    document = reader.get("/conversations/nothing")
    assert (404, True) == (document.status, "<html" in document.html)


def test_what_was_said(talking: PageReader) -> None:
    """Messages are text, whatever they say; preferences and settings are there."""
    assert "/conversations/s1" in talking.get("/conversations").links
    document = talking.get("/conversations/s1")
    assert "invoice is number 4711" in document.text
    assert "tone : dry" in document.text
    assert "<img src=x" not in document.html


def test_the_next_context(talking: PageReader) -> None:
    """Its parts with their tokens; a budget that is too small says so."""
    document = talking.get("/conversations/s1?question=When+do+we+pay%3F&budget=2000&layout=cache")
    assert "of 2000 tokens" in document.text
    assert "question" in document.text
    small = talking.get("/conversations/s1?question=When+do+we+pay%3F&budget=1")
    assert (200, True) == (small.status, 'role="alert"' in small.html)


def test_summaries_off(talking: PageReader) -> None:
    """The setting is kept."""
    document = talking.post(talking.get("/conversations/s1").form("/conversations/s1/summary"), summary="off")
    assert "Done." in document.text
    assert '<option value="off" selected>' in document.html
    assert "off" == talking.workspace.ask(f"{SESSIONS}/s1").value["conversation"]["settings"]["summary"]


def test_clearing(talking: PageReader) -> None:
    """First what would go, then the receipt; an old page clears nothing."""
    ask = talking.get("/conversations/s1/clear")
    assert "History (2 messages)" in ask.text
    talking.workspace.ask(f"{SESSIONS}/s1/messages", "POST", [{"role": "user", "text": "One more."}])
    late = talking.post(ask.form("/conversations/s1/clear"))
    assert (409, True) == (late.status, "has changed since" in late.text)
    receipt = talking.post(talking.get("/conversations/s1/clear").form("/conversations/s1/clear"))
    assert "The context of this session is empty now" in receipt.text
    assert "Nothing is in the context" in talking.get("/conversations/s1").text


def test_deleting_with_what_is_pinned(talking: PageReader) -> None:
    """Pinned details are in the way until a person says so."""
    kept = talking.workspace.ask("/api/v1/memories", "POST", {"content": "line\n" * 3_000, "thread_id": "s1"})
    key = kept.value["key"]
    talking.workspace.ask(f"/api/v1/memories/{key}", "PATCH", {"pinned": True})
    form = talking.get("/conversations/s1/clear").form("/conversations/s1/delete")
    refused = talking.post(form)
    assert (400, True) == (refused.status, key in refused.text)
    receipt = talking.post(form, force="true")
    assert "The session is deleted" in receipt.text
    assert key in receipt.text
    assert 404 == talking.get("/conversations/s1").status


def test_clearing_all(talking: PageReader) -> None:
    """The preferences of the user in all sessions go."""
    receipt = talking.post(talking.get("/clear-global").form("/clear-global"))
    assert "The global memory of this user is cleared" in receipt.text


def test_taking_away(talking: PageReader) -> None:
    """As Markdown, and as lines to import, each as a file."""
    for form in ("md", "jsonl"):
        answer = talking.get(f"/conversations/s1/export?form={form}")
        assert "4711" in answer.html
        assert f"conversation.{form}" in answer.headers["content-disposition"]


def test_a_store_that_cannot_be_opened(changer: PageReader) -> None:
    """A sentence, and no error of ours."""
    store = Path(changer.workspace.root, "store")
    store.mkdir(exist_ok=True)
    for file in store.glob("memory.db*"):
        file.unlink()
    (store / "memory.db").write_bytes(b"this is no database" * 1000)
    for path in ("/conversations", "/details"):
        document = changer.get(path)
        assert (True, True) == (document.status in {409, 503}, "<html" in document.html)
