"""What persons and agents may change over HTTP."""

import json

from pipeline.service.socket.agent_client import AgentClient
from tests.support.tables import table
from tests.support.workspaces.served_demo import ServedWorkspace


def test_an_agent_asks_and_the_gate_decides(changing: ServedWorkspace) -> None:
    """What an agent asks for is nobody's word; what a person asks for is written."""
    wanted = {"operation": "CORE", "text": "The pool is closed on Mondays."}
    asked = changing.ask("/api/v1/requests", "POST", wanted, authorization=f"Bearer {changing.agent}").value
    assert asked["result"] in {"written", "suggested"}
    said = changing.ask("/api/v1/requests", "POST", {**wanted, "text": "The sauna is closed on Sundays."}).value
    assert "written" == said["result"]
    known = changing.ask("/api/v1/wake/main").body.decode()
    assert "sauna is closed" in known


def test_an_entry_is_proposed_besides(changing: ServedWorkspace) -> None:
    """Where something is added and both a kind and the owner's words are given; it waits for its session."""
    wanted = {"operation": "DECISION", "text": "The pool opens at six.", "kind": "decision", "quote": "open it at six"}
    bearer = f"Bearer {changing.agent}"
    asked = changing.ask("/api/v1/requests", "POST", wanted, authorization=bearer).value
    assert "As an entry (decision) it waits" in asked["message"]
    half = changing.ask(
        "/api/v1/requests", "POST", {**wanted, "quote": "", "text": "And closes."}, authorization=bearer
    )
    assert "give both" in half.value["message"]


def test_a_suggestion_is_decided(changing: ServedWorkspace) -> None:
    """By a person's token alone."""
    first, second = (one["id"] for one in changing.ask("/api/v1/suggestions").value[:2])
    accept = {"decision": "accept"}
    refused = changing.ask(f"/api/v1/suggestions/{first}", "POST", accept, authorization=f"Bearer {changing.agent}")
    assert (403, True) == (refused.status, "person" in refused.value["detail"])
    accepted = changing.ask(f"/api/v1/suggestions/{first}", "POST", accept).value
    assert ("accepted", [first]) == (accepted["decision"], accepted["ids"])
    declined = changing.ask(f"/api/v1/suggestions/{second}", "POST", {"decision": "decline"}).value
    assert ("declined", [second]) == (declined["decision"], declined["ids"])
    assert 404 == changing.ask(f"/api/v1/suggestions/{first}", "POST", accept).status


def test_words_of_a_person(changing: ServedWorkspace) -> None:
    """A suggestion is accepted in them, without the secrets that they have; words that say nothing decide nothing."""
    first = changing.ask("/api/v1/suggestions").value[0]["id"]
    empty = changing.ask(f"/api/v1/suggestions/{first}", "POST", {"decision": "accept", "text": " . "})
    assert (400, True) == (empty.status, "nothing was decided" in empty.value["detail"])
    key = "sk-proj-4f8Kq2LmZ7xTb9Vd3NcR5yWh1JgPaEsU6iOtQmXn"
    accept = {"decision": "accept", "text": f"The key is {key}"}
    (entry,) = changing.ask(f"/api/v1/suggestions/{first}", "POST", accept).value["entries"]
    story = changing.ask(f"/api/v1/entries/{entry}").body.decode()
    assert ("The key is" in story, key in story) == (True, False)


def test_a_run_is_taken_back(changing: ServedWorkspace) -> None:
    """And a second time there is nothing to take back."""
    run = next(one for one in changing.ask("/api/v1/runs?job=retain&limit=100").value if one["written"])
    taken = changing.ask(f"/api/v1/runs/{run['run_id']}/undo", "POST")
    assert (200, True) == (taken.status, bool(taken.value["removed"]))
    again = changing.ask(f"/api/v1/runs/{run['run_id']}/undo", "POST")
    assert (400, True) == (again.status, "undone" in again.value["detail"])


def test_an_entry_is_forgotten(changing: ServedWorkspace) -> None:
    """By a person's token alone; its words may stand in the name of a token, which is no log and stays."""
    entry = changing.ask("/api/v1/entries").value[0]
    tokens, wanted = changing.root / ".memory" / "tokens.json", {"id": entry["id"]}
    before = tokens.read_bytes().replace(b'"anna"', json.dumps(entry["quote"]).encode())
    tokens.write_bytes(before)
    assert 403 == changing.ask("/api/v1/forget", "POST", wanted, authorization=f"Bearer {changing.agent}").status
    assert 200 == changing.ask("/api/v1/forget", "POST", wanted).status
    assert entry["id"] not in {one["id"] for one in changing.ask("/api/v1/entries").value}
    assert before == tokens.read_bytes()


def test_an_entry_is_corrected(changing: ServedWorkspace) -> None:
    """By a person's token alone; its words hold, and an undo brings the old ones back."""
    entry = next(one for one in changing.ask("/api/v1/entries").value if one["status"] == "active")
    wanted = {"id": entry["id"], "words": "The lake road is open from 25 April."}
    refused = changing.ask("/api/v1/corrections", "POST", wanted, authorization=f"Bearer {changing.agent}")
    assert 403 == refused.status
    done = changing.ask("/api/v1/corrections", "POST", wanted).value
    assert (entry["id"], entry["conclusion"]) == (done["corrects"], done["before"])
    story = changing.ask(f"/api/v1/entries/{done['id']}").value
    assert ("active", wanted["words"]) == (story["status"], story["conclusion"])
    again = changing.ask("/api/v1/corrections", "POST", wanted)
    assert (400, True) == (again.status, "says this already" in again.value["detail"])
    assert 200 == changing.ask(f"/api/v1/runs/{done['run_id']}/undo", "POST").status
    assert "active" == changing.ask(f"/api/v1/entries/{entry['id']}").value["status"]


def test_an_agent_only_proposes_a_correction(changing: ServedWorkspace) -> None:
    """Over MCP, for an entry by its id; nothing changes before a person accepts it."""
    entry = next(one for one in changing.ask("/api/v1/entries").value if one["status"] == "active")
    words = "The lake road is open from 25 April."
    waits = AgentClient(changing.root, {}, "main").propose(entry["id"], words)
    assert "It waits for a person: nothing has changed." == waits
    assert entry["conclusion"] == changing.ask(f"/api/v1/entries/{entry['id']}").value["conclusion"]
    [proposed] = [one for one in changing.ask("/api/v1/suggestions").value if one["form"] == "correction"]
    assert (entry["id"], words) == (proposed["entry_id"], proposed["title"])
    accepted = changing.ask(f"/api/v1/suggestions/{proposed['id']}", "POST", {"decision": "accept"}).value
    assert words == changing.ask(f"/api/v1/entries/{accepted['entries'][0]}").value["conclusion"]


@table("body", [b"", b"{", b"[]", b'{"operation": "EAT"}', b"\xff", b'{"id": 1}', b"null"])
@table("path", ["requests", "corrections", "forget", "suggestions/x"])
def test_what_is_no_request(reading: ServedWorkspace, path: str, body: bytes) -> None:
    """A sentence, and no change."""
    answer = reading.ask(f"/api/v1/{path}", "POST", body, content_type="application/json")
    assert answer.status in {400, 422}
    assert "application/problem+json" == answer.headers["content-type"]


@table("entry", ["", " ", "\t", "\n"])
def test_nothing_is_forgotten_by_a_blank_id(changing: ServedWorkspace, entry: str) -> None:
    """It would be in every line; the tokens work on."""
    assert 422 == changing.ask("/api/v1/forget", "POST", {"id": entry}).status
    assert 200 == changing.ask("/api/v1/entries").status


@table("word", ["0", "owner", "done", "2026-03-03"])
def test_a_word_is_no_entry(changing: ServedWorkspace, word: str) -> None:
    """Pages have it, and so has the ledger, which stays as it is."""
    assert 404 == changing.ask("/api/v1/forget", "POST", {"id": word}).status
    assert 200 == changing.ask("/api/v1/runs?limit=1000").status
