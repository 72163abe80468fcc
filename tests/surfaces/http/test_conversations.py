"""A conversation over HTTP: begun, appended to, made into a context that fits, cleared, taken away and brought back."""

import re

import pytest

from tests.support.workspaces.served_demo import ServedWorkspace

SESSIONS = "/api/v1/sessions"


def begun(workspace: ServedWorkspace, **fields: object) -> str:
    """The id of a new conversation."""
    answer = workspace.ask(SESSIONS, "POST", {"session_id": "s1", **fields})
    assert 200 == answer.status, answer.body
    return str(answer.value["conversation"]["session_id"])


def said(workspace: ServedWorkspace, session: str, *texts: str) -> None:
    """Append what a user and an assistant say in turn."""
    roles = ("user", "assistant")
    body = [{"role": roles[place % 2], "text": text} for place, text in enumerate(texts)]
    answer = workspace.ask(f"{SESSIONS}/{session}/messages", "POST", body)
    assert 200 == answer.status, answer.body


def asked_in(workspace: ServedWorkspace, session: str, at: str = "") -> list[str]:
    """The texts of the context of a question."""
    answer = workspace.ask(f"{SESSIONS}/{session}/context{at}", "POST", {"question": "?"})
    return [one["content"] for one in answer.value["messages"]]


def test_a_context_fits_and_says_what_is_in_it(changing: ServedWorkspace) -> None:
    """Preferences, history and the question; never more than the budget; the account adds up."""
    session = begun(changing, tone="short and dry")
    said(changing, session, *(f"message {number} about the boat house" for number in range(8)))
    context = changing.ask(f"{SESSIONS}/{session}/context", "POST", {"question": "And now?", "budget": 500}).value
    assert "short and dry" in str(context["messages"])
    assert "And now?" == context["messages"][-1]["content"]
    receipt = context["receipt"]
    assert receipt["tokens"] <= 500
    assert receipt["tokens"] == sum(part["tokens"] for part in receipt["parts"])


def test_a_question_that_cannot_be_asked(changing: ServedWorkspace) -> None:
    """One that is larger than the budget is a problem that names the numbers; one that is empty says so."""
    session = begun(changing)
    empty = changing.ask(f"{SESSIONS}/{session}/context", "POST", {"question": " "})
    assert (400, True) == (empty.status, empty.value["detail"].startswith("There is no question"))
    answer = changing.ask(f"{SESSIONS}/{session}/context", "POST", {"question": "why " * 500, "budget": 100})
    assert answer.status in {400, 409}
    assert "100" in answer.value["detail"]


def test_a_summary_comes_by_itself(changing: ServedWorkspace) -> None:
    """After twenty messages, and nobody waited for it."""
    session = begun(changing, summary="heuristic_only")
    said(changing, session, "The gate code changes on 2026-04-01.", *("ok, noted" for _ in range(29)))
    view = changing.ask(f"{SESSIONS}/{session}").value
    assert 30 == len(view["messages"])
    assert "2026-04-01" in str(changing.summary(session)["ledger"])


def test_cleared_taken_away_and_brought_back(changing: ServedWorkspace) -> None:
    """A reset leaves preferences; an export gives back the same bytes after it was deleted and imported."""
    session = begun(changing, tone="short")
    said(changing, session, "the key is under the boat", "noted")
    lines = changing.ask(f"{SESSIONS}/{session}/export").body
    assert b"under the boat" in changing.ask(f"{SESSIONS}/{session}/export?form=md").body
    assert 2 == changing.ask(f"{SESSIONS}/{session}/reset", "POST").value["messages"]
    context = str(changing.ask(f"{SESSIONS}/{session}/context", "POST", {"question": "?"}).value["messages"])
    assert ("under the boat" not in context, "short" in context) == (True, True)
    assert 2 == changing.ask(f"/api/v1/memory/session/{session}", "DELETE").value["messages"]
    assert 404 == changing.ask(f"{SESSIONS}/{session}").status
    assert 200 == changing.ask(f"{SESSIONS}/import", "POST", lines).status
    assert lines == changing.ask(f"{SESSIONS}/{session}/export").body


def test_summaries_are_switched(changing: ServedWorkspace) -> None:
    """By its own agent or a person; the other settings stay, and what is no setting is refused."""
    session = begun(changing, tone="short")
    path = f"{SESSIONS}/{session}"
    assert "off" == changing.ask(path, "PATCH", {"summary": "off"}).value["settings"]["summary"]
    settings = changing.ask(path).value["conversation"]["settings"]
    assert ("off", "short") == (settings["summary"], settings["preferences"]["tone"])
    assert 404 == changing.ask(path, "PATCH", {"summary": "off"}, authorization=f"Bearer {changing.agent}").status
    for body in ({"summary": "never"}, {}, {"store_knowledge": False}, {"preference_scope": "global"}):
        assert 422 == changing.ask(path, "PATCH", body).status


def test_preferences_are_changed(changing: ServedWorkspace) -> None:
    """What is not named stays, and what is empty is taken back; the last summary's way is not touched."""
    session = begun(changing, tone="short", style_notes="lists", summary="off")
    settings = changing.ask(f"{SESSIONS}/{session}", "PATCH", {"tone": "long", "style_notes": ""}).value["settings"]
    assert ("long", "", "off") == (
        settings["preferences"]["tone"],
        settings["preferences"]["style_notes"],
        settings["summary"],
    )
    assert "- tone: long" in asked_in(changing, session)[0]


def test_who_writes_the_summaries_unless_a_session_says_so(changing: ServedWorkspace) -> None:
    """The workspace's setting."""
    with (changing.root / "memory.toml").open("a") as settings:
        settings.write('\n[store]\nsummary = "off"\n')
    said_nothing, said_so = (
        changing.ask(SESSIONS, "POST", {"session_id": name, **more}).value["conversation"]["settings"]["summary"]
        for name, more in (("s1", {}), ("s2", {"summary": "heuristic_only"}))
    )
    assert ("off", "heuristic_only") == (said_nothing, said_so)


def test_the_owners_preferences_go_to_the_agent_that_is_named(changing: ServedWorkspace) -> None:
    """By the gate, unconfirmed: in force in its own session meanwhile. Another user's stay in the store."""
    wanted = {"agent": "main", "tone": "dry", "preference_scope": "global"}
    owned, other = (changing.ask(SESSIONS, "POST", wanted | {"user_id": user}) for user in ("", "bob"))
    assert "Written into the memory of main, not confirmed until the owner says so." == owned.value["notice"]
    assert "Kept for all sessions of this user." == other.value["notice"]
    assert ("main", "bob") == tuple(other.value["conversation"][name] for name in ("agent_id", "user_id"))
    assert "this session:\n- tone: dry" in asked_in(changing, owned.value["conversation"]["session_id"])[-2]
    (everywhere, _) = asked_in(changing, other.value["conversation"]["session_id"], "?user_id=bob")
    assert everywhere.endswith("all sessions:\n- tone: dry")
    later = changing.ask(SESSIONS, "POST", {"agent": "main"}).value["conversation"]["session_id"]
    assert "tone: dry" not in str(asked_in(changing, later))
    journals = (file.read_text() for file in (changing.root / "agents").rglob("*.md"))
    assert [1] == [text.count("tone: dry") for text in journals if "tone: dry" in text][:1]
    refused = changing.ask(SESSIONS, "POST", {"agent": "other"}, authorization=f"Bearer {changing.agent}")
    assert (True, "not that of 'other'" in refused.value["detail"]) == (refused.status >= 400, True)


def test_whose_conversation_it_is(changing: ServedWorkspace) -> None:
    """An agent reaches its own; what is for all sessions of a user only a person deletes."""
    begun(changing)
    by_agent = f"Bearer {changing.agent}"
    assert 404 == changing.ask(f"{SESSIONS}/s1", authorization=by_agent).status
    assert 400 == changing.ask(SESSIONS, "POST", {"session_id": "s1"}, authorization=by_agent).status
    assert 200 == changing.ask(f"{SESSIONS}?user_id=u1", "POST", {"session_id": "s2"}, authorization=by_agent).status
    assert ["s2"] == [
        one["conversation"]["session_id"]
        for one in changing.ask(f"{SESSIONS}?user_id=u1", authorization=by_agent).value
    ]
    assert 403 == changing.ask("/api/v1/memory/global", "DELETE", authorization=by_agent).status
    assert 200 == changing.ask("/api/v1/memory/global", "DELETE").status


def test_what_is_no_message(changing: ServedWorkspace) -> None:
    """Nothing of it is appended."""
    session = begun(changing)
    one = {"role": "user", "text": "x"}
    for body in ([], [one | {"role": "king"}], [one | {"role": "system"}], [{"role": "user"}], one, "x"):
        assert 422 == changing.ask(f"{SESSIONS}/{session}/messages", "POST", body).status
    assert [] == changing.ask(f"{SESSIONS}/{session}").value["messages"]


def test_a_session_takes_its_own_details_alone(changing: ServedWorkspace) -> None:
    """The name of a thread is anybody's: what others stored under it stays when an agent deletes its session."""
    log = {"content": "\n".join(f"line {number} of a log" for number in range(900)), "thread_id": "s3"}
    theirs = changing.ask("/api/v1/memories", "POST", log).value["key"]
    by_agent = f"Bearer {changing.agent}"
    mine = changing.ask("/api/v1/memories", "POST", log, authorization=by_agent).value["key"]
    changing.ask(SESSIONS, "POST", {"session_id": "s3"}, authorization=by_agent)
    gone = changing.ask("/api/v1/memory/session/s3", "DELETE", authorization=by_agent).value["details"]
    assert [mine] == gone
    assert 200 == changing.ask(f"/api/v1/memories/{theirs}").status


def test_an_import_brings_no_secrets(changing: ServedWorkspace) -> None:
    """Also not in settings."""
    session = begun(changing, tone="short")
    lines = changing.ask(f"{SESSIONS}/{session}/export").body.replace(b'"short"', b'"my key is AKIAIOSFODNN7EXAMPLQ"')
    changing.ask(f"/api/v1/memory/session/{session}", "DELETE")
    assert 200 == changing.ask(f"{SESSIONS}/import", "POST", lines).status
    assert b"AKIAIOSFODNN7EXAMPLQ" not in changing.ask(f"{SESSIONS}/{session}").body


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (rb'"created_at": "[^"]*"', b'"created_at": "0001-01-01T00:00:00+14:00"'),
        (rb'"number": 1', b'"number": 1' + b"0" * 30),
    ],
)
def test_an_import_out_of_bounds(changing: ServedWorkspace, before: bytes, after: bytes) -> None:
    """A problem, and nothing is brought."""
    session = begun(changing)
    said(changing, session, "hello", "hello")
    lines = changing.ask(f"{SESSIONS}/{session}/export").body
    changing.ask(f"/api/v1/memory/session/{session}", "DELETE")
    assert changing.ask(f"{SESSIONS}/import", "POST", re.sub(before, after, lines)).status in {400, 409, 422}
    assert 404 == changing.ask(f"{SESSIONS}/{session}").status
