"""What is an agent's own: by no way of reading does another agent get a word of it, and a person gets it."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from mcp import Client

from pipeline.service.socket.agent_client import AgentClient
from pipeline.service.socket.client_or_local import MemoryClient
from pipeline.workspace.tokens import TokenFile
from schemas.caller import CallerKind
from tests.support.tables import table
from tests.support.workspaces.served_demo import NOW, ServedWorkspace, served
from tests.surfaces.http.test_mcp_endpoint import text_of, with_client

SECRET, HINT = "xylotoma", "walrus"
"""The word that nobody else may get, and one beside it that one may ask for."""
SAID = f"The {HINT} lives at the {SECRET} pier."
ABOUT = f"{HINT}, and what its keeper said of it on the pier, {SECRET}"
LOG = f"{SECRET}\n" + "\n".join(f"line {number}: {HINT} module {number * 7}" for number in range(400)) + f"\n{SECRET}"
SESSION = "agents/main/memory/sessions/2026-03-01_091.md"
FILES = (SESSION, "agents/main/memory/active_context.md", "agents/main/walrus.md", "agents/main/memory/brain.md")
TIERS = ("auto", "warm", "cold", "all", "detail")
SPY = '\n[agents.spy]\nmay_read = []\nsources = ["openclaw:spy"]\n'


@dataclass(frozen=True)
class Planted:
    """A workspace in which the memory of one agent holds the secret, the token of another one, and what to ask for."""

    workspace: ServedWorkspace
    spy: str
    line: str
    names: dict[str, list[str]]
    queries: dict[str, list[str]]

    def get(self, path: str, token: str) -> tuple[int, str]:
        """What a token gets."""
        answer = self.workspace.ask(path, authorization=f"Bearer {token}")
        return answer.status, answer.body.decode()

    def addresses(self) -> Iterator[str]:
        """Every address that is read, of every route in the description."""
        paths = self.workspace.ask("/openapi.json").value["paths"]
        for path in (path for path, methods in paths.items() if "get" in methods):
            slots = [name for name in self.names if f"{{{name}}}" in path]
            assert "{" not in path or slots, f"say what to put into {path}"
            for values in product(*(self.names[name] for name in slots)):
                filled = path
                for name, value in zip(slots, values, strict=True):
                    filled = filled.replace(f"{{{name}}}", quote(value, safe=""))
                yield from (f"{filled}{query}" for query in ["", *self.queries.get(path, [])])


@pytest.fixture(scope="module")
def planted(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Planted]:
    """The demo, in which the agent `main` knows the secret in every way, beside the agent `spy`."""
    root = tmp_path_factory.mktemp("planted") / "work"
    shutil.copytree(demo, root)
    settings = root / "memory.toml"
    settings.write_text(f"{settings.read_text()}{SPY}")
    for path in FILES[:-1]:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(f"# 2026-03-01\n\n{SAID}\n")
    with served(root) as workspace:
        yield _planted(workspace, TokenFile(root).add("spy", CallerKind.AGENT, "spy", NOW))


def _planted(workspace: ServedWorkspace, spy: str) -> Planted:
    as_agent = {"authorization": f"Bearer {workspace.agent}"}

    def post(path: str, body: object, **headers: str) -> Any:  # noqa: ANN401 - JSON
        answer = workspace.ask(f"/api/v1/{path}", "POST", body, **headers)
        assert 200 == answer.status, answer.body
        return answer.value

    post("requests", {"operation": "PREFERENCE", "text": SAID, "agent": "main"})
    line = next(one["id"] for one in AgentClient(workspace.root, {}, "main").know() if SECRET in one["text"])
    change = {"operation": "UPDATE", "text": f"Not at the {SECRET} pier, at the {HINT} dock.", "line": line}
    (suggestion,) = post("requests", change, **as_agent)["ids"]
    post("sessions", {"session_id": "talk", "tone": SAID, "preference_scope": "global"}, **as_agent)
    post("sessions/talk/messages", [{"role": "user", "text": SAID}], **as_agent)
    kept = [post("memories", {"content": LOG, "description": ABOUT}, **as_agent)["key"]]
    kept.append(post("memories", {"content": LOG, "user_id": "alice", "scope": "user"}, **as_agent)["key"])
    kept.append(post("memories", {"content": LOG, "description": ABOUT})["key"])
    entry = workspace.ask("/api/v1/entries").value[0]["id"]
    names = {
        "run_id": [one["run_id"] for one in workspace.ask("/api/v1/runs?limit=12").value],
        "memory_key": kept,
        "session_id": ["talk"],
        "suggestion_id": [suggestion],
        "agent": ["main", "spy"],
        "entry_id": [entry, line],
        "name": ["Owner", "Hania"],
    }
    tiers = [f"?query={HINT}&tier={tier}" for tier in TIERS]
    queries = {
        "/api/v1/search": [*tiers, f"?query={HINT}&tier=all&agent=main", f"?query={HINT}&tier=all&reader=main&k=50"],
        "/api/v1/recall": [f"?query={HINT}", "?k=1000", f"?query={HINT}&reader=main"],
        "/api/v1/graph": ["?user_id=alice", "?focus=session:talk", f"?focus=detail:{kept[0]}", "?kind=preference"],
        "/api/v1/memories": ["?user_id=bob", f"?words={HINT}", "?limit=1000"],
        "/api/v1/memories/{memory_key}": [f"?query={HINT}", "?lines=1-9&user_id=bob"],
        "/api/v1/sessions": ["?user_id=bob"],
        "/api/v1/sessions/{session_id}": ["?user_id=bob"],
        "/api/v1/sessions/{session_id}/export": ["?form=md"],
        "/api/v1/runs": ["?limit=1000", "?job=agent_journal"],
    }
    return Planted(workspace, spy, line, names, queries)


def test_another_agent_gets_no_word_over_http(planted: Planted) -> None:
    """Of no route that reads; a context that is assembled for it recalls none either."""
    addresses = list(planted.addresses())
    assert not [address for address in addresses if SECRET in planted.get(address, planted.spy)[1]]
    assert len(addresses) > 50


def test_a_context_of_another_agent_recalls_no_word(planted: Planted) -> None:
    """Nor does it get one of a conversation that is not its own."""
    by_spy = {"authorization": f"Bearer {planted.spy}"}
    planted.workspace.ask("/api/v1/sessions", "POST", {"session_id": "spying"}, **by_spy)
    asked = {"question": f"Where does the {HINT} live?", "recall": 5, "floor": 0.0}
    for session in ("spying", "talk"):
        answer = planted.workspace.ask(f"/api/v1/sessions/{session}/context", "POST", asked, **by_spy)
        assert SECRET not in answer.body.decode()


def test_a_person_gets_it_where_it_belongs(planted: Planted) -> None:
    """So the word was there to be found."""
    person = planted.workspace.person
    reached = {
        address.partition("?")[0] for address in planted.addresses() if SECRET in planted.get(address, person)[1]
    }
    routes = ("search", "graph", "suggestions", "memories", "wake/main", "sessions/talk", "sessions/talk/export")
    keys = (f"memories/{key}" for key in planted.names["memory_key"])
    assert set() == {f"/api/v1/{route}" for route in (*routes, *keys)} - reached
    assert [path for path in reached if "/runs/" in path]


def test_another_agent_learns_that_it_may_not(planted: Planted) -> None:
    """A run of another's memory is not there, and what it always knows is refused."""
    secret = [
        run
        for run in planted.names["run_id"]
        if SECRET in planted.get(f"/api/v1/runs/{run}", planted.workspace.person)[1]
    ]
    assert secret
    assert {404} == {planted.get(f"/api/v1/runs/{run}", planted.spy)[0] for run in secret}
    assert 403 == planted.get("/api/v1/wake/main", planted.spy)[0]
    listed = json.loads(planted.get("/api/v1/runs?limit=1000", planted.spy)[1])
    assert listed
    assert not {*secret} & {run["run_id"] for run in listed}


READING: dict[str, list[dict[str, object]]] = {
    "memory_search": [{"query": HINT, "tier": tier, "k": 50} for tier in TIERS],
    "search_memory": [{"query": HINT}, {"query": HINT, "thread_id": "talk"}],
    "memory_get": [
        {"place": path} for path in (*FILES, f"{SESSION}#L3", "./agents//main/walrus.md", "agents/MAIN/x.md")
    ],
    "memory_wake": [{}, {"target": "main"}],
    "memory_know": [{}, {"target": "main"}],
    "retrieve_memory": [{"memory_key": f"KEY{number}", "query": HINT} for number in range(3)],
}
CHANGING: dict[str, list[dict[str, object]]] = {
    "memory_remember": [{"text": "The pool is closed.", "target": "main"}],
    "memory_update": [{"line": "LINE", "text": "x", "target": "main"}],
    "memory_forget": [{"line": "LINE", "target": "main"}],
    "store_memory": [{"content": LOG.replace(SECRET, ""), "description": HINT}],
}


@table("calls", [READING, CHANGING])
def test_another_agent_gets_no_word_over_mcp(planted: Planted, calls: dict[str, list[dict[str, object]]]) -> None:
    """Of no tool that it has."""
    known = {f"KEY{number}": key for number, key in enumerate(planted.names["memory_key"])} | {"LINE": planted.line}

    async def work(client: Client) -> None:
        assert {*READING, *CHANGING} == {tool.name for tool in (await client.list_tools()).tools}
        for tool, arguments in ((tool, arguments) for tool, several in calls.items() for arguments in several):
            filled = {name: known.get(str(value), value) for name, value in arguments.items()}
            assert SECRET not in text_of(await client.call_tool(tool, filled)), (tool, arguments)

    with_client(planted.workspace, planted.spy, work)


def test_a_person_gets_it_over_mcp(planted: Planted) -> None:
    """The session of the agent, and the stored texts."""

    async def work(client: Client) -> None:
        for tool, arguments in (
            ("memory_search", {"query": HINT, "tier": "cold"}),
            ("memory_search", {"query": f"{SECRET} {HINT}", "tier": "detail", "fields": ["text", "at"]}),
            ("memory_get", {"place": SESSION}),
            ("retrieve_memory", {"memory_key": planted.names["memory_key"][0], "query": SECRET}),
        ):
            assert SECRET in text_of(await client.call_tool(tool, arguments)), tool

    with_client(planted.workspace, planted.workspace.person, work)


def test_another_agent_gets_no_word_from_the_questions(planted: Planted) -> None:
    """Those of the socket, when it names itself; without a name it is the owner's shell that asks, and gets it."""
    with MemoryClient(planted.workspace.root, {}) as client:
        for tier in TIERS:
            wanted = {"query": HINT, "tier": tier, "k": 50}
            assert SECRET not in json.dumps(client.search({**wanted, "reader": "spy"}))
            assert SECRET not in json.dumps(client.search({**wanted, "reader": ""}))
        assert SECRET in json.dumps(client.search({"query": HINT, "tier": "cold"}))
        assert SECRET not in json.dumps(client.recall({"query": HINT, "reader": "spy"}))
        assert SECRET in json.dumps(client.get(SESSION))
        assert SECRET in json.dumps(client.get(SESSION, {"reader": "main"}))
