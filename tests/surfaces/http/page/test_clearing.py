"""Clearing and deleting on the page: first what would go, then what went; an old page does nothing."""

import pytest

from tests.support.workspaces.page_reader import PageReader, ReadDocument

SESSIONS, CLEAR = "/api/v1/sessions", "/conversations/s1/clear"
LOG = "\n".join(f"line {number} of a log" for number in range(900))


@pytest.fixture
def talking(changer: PageReader) -> PageReader:
    """A reader of a workspace with one conversation of two messages."""
    said = [{"role": "user", "text": "We do not pay before May."}, {"role": "assistant", "text": "Noted."}]
    assert 200 == changer.workspace.ask(SESSIONS, "POST", {"session_id": "s1", "tone": "dry"}).status
    assert 200 == changer.workspace.ask(f"{SESSIONS}/s1/messages", "POST", said).status
    return changer


def _stored(reader: PageReader, *, pinned: bool = False, **place: str) -> str:
    key = str(reader.workspace.ask("/api/v1/memories", "POST", {"content": LOG, **place}).value["key"])
    reader.workspace.ask(f"/api/v1/memories/{key}", "PATCH", {"pinned": pinned})
    return key


def _deletion(reader: PageReader) -> ReadDocument:
    return reader.post(reader.get(CLEAR).form("/conversations/s1/delete"))


def test_clearing(talking: PageReader) -> None:
    """First what would go, then the receipt; an old page clears nothing; preferences stay."""
    ask = talking.get(CLEAR)
    assert "History (2 messages)" in ask.text
    talking.workspace.ask(f"{SESSIONS}/s1/messages", "POST", [{"role": "user", "text": "One more."}])
    late = talking.post(ask.form(CLEAR))
    assert (409, True) == (late.status, "has changed since" in late.text)
    receipt = talking.post(talking.get(CLEAR).form(CLEAR))
    assert "The context of this session is empty now" in receipt.text
    assert "Messages 3 Summaries 0" in receipt.text
    document = talking.get("/conversations/s1")
    assert "Nothing is in the context" in document.text
    assert "tone : dry" in document.text
    assert "Messages 3" in talking.get(CLEAR).text


def test_deleting(talking: PageReader) -> None:
    """With its stored outputs, and those of no other session; a second click is told that it is gone."""
    mine, theirs = _stored(talking, thread_id="s1"), _stored(talking, thread_id="s2")
    ask = talking.get(CLEAR)
    assert (True, False) == (mine in ask.text, theirs in ask.text)
    assert "Delete what is pinned" not in ask.text
    receipt = talking.post(ask.form("/conversations/s1/delete"))
    assert "The session is deleted" in receipt.text
    assert "Messages 2" in receipt.text
    assert (404, 200) == tuple(talking.get(f"/details/{key}").status for key in (mine, theirs))
    assert 404 == talking.post(ask.form("/conversations/s1/delete")).status
    assert 404 == talking.get("/conversations/s1").status


def test_what_is_pinned_is_in_the_way(talking: PageReader) -> None:
    """Until a person says so on the page; what was stored or pinned meanwhile was not seen, and does not go."""
    ask = talking.get(CLEAR)
    key = _stored(talking, thread_id="s1", pinned=True)
    assert 409 == talking.post(ask.form("/conversations/s1/delete"), force="true").status
    refused = _deletion(talking)
    assert (400, True) == (refused.status, f"Pinned details would go: {key}" in refused.text)
    form = talking.get(CLEAR).form("/conversations/s1/delete")
    assert "force" not in form.fields
    receipt = talking.post(form, force="true")
    assert key in receipt.text
    assert 404 == talking.get("/conversations/s1").status


def test_clearing_what_is_global(talking: PageReader) -> None:
    """The preferences of that user, also by the word of an agent, and what is pinned with a word of its own alone."""
    user, at = "u&2", "u%262"
    by_agent = {"authorization": f"Bearer {talking.workspace.agent}"}
    wanted = {"session_id": "s2", "tone": "warm", "preference_scope": "global"}
    assert 200 == talking.workspace.ask(f"{SESSIONS}?user_id={at}", "POST", wanted, **by_agent).status
    key = _stored(talking, user_id=user, scope="user", pinned=True)
    ask = talking.get(f"/clear-global?user={at}")
    assert "tone : warm (says the agent main)" in ask.text
    assert key in ask.text
    form = ask.form("/clear-global")
    assert 400 == talking.post(form).status
    receipt = talking.post(form, force="true")
    assert "The global memory of this user is cleared" in receipt.text
    assert "Preferences 1" in receipt.text
    late = talking.post(form, force="true")
    assert (409, True) == (late.status, "has changed since" in late.text)
    assert 200 == talking.get("/conversations/s2").status
    assert "Preferences 0" in talking.post(talking.get("/clear-global").form("/clear-global")).text


def test_forms_without_what_was_seen(talking: PageReader) -> None:
    """Nothing goes by a form that somebody made up."""
    form = talking.get(CLEAR).form("/conversations/s1/delete")
    assert [422, 409, 422] == [talking.post(form, seen=seen).status for seen in ("", "ą", "x" * 65)]
    assert 200 == talking.get("/conversations/s1").status
