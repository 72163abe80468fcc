"""The graph over HTTP: what leads to what in the demo, and nothing that the caller may not read."""

from pathlib import Path
from time import process_time
from typing import Any
from urllib.parse import quote

import pytest

from pipeline.workspace.tokens import TokenFile
from schemas.caller import CallerKind
from tests.support.builders.details import shell_detail
from tests.support.marks import at_length
from tests.support.tables import table
from tests.support.workspaces.many_entries import empty_workspace, many_entries
from tests.support.workspaces.served_demo import NOW, ServedWorkspace, served

GRAPH = "/api/v1/graph"
LOG = "\n".join(f"line {number}: compiled module {number * 7}" for number in range(400))


def graph(workspace: ServedWorkspace, query: str = "", token: str = "") -> dict[str, Any]:
    """The graph that a token gets."""
    answer = workspace.ask(f"{GRAPH}{query}", authorization=f"Bearer {token or workspace.person}")
    assert 200 == answer.status, answer.body
    return dict(answer.value)


def edges(value: dict[str, Any], sort: str) -> set[tuple[str, str]]:
    """The edges of a sort, by the labels of their ends."""
    labels = {node["id"]: node["label"] for node in value["nodes"]}
    return {(labels[edge["start"]], labels[edge["end"]]) for edge in value["edges"] if edge["sort"] == sort}


def names(value: dict[str, Any], kind: str) -> set[str]:
    """The names of the nodes of a kind."""
    return {node["name"] for node in value["nodes"] if node["kind"] == kind}


@pytest.fixture
def two_agents(changing: ServedWorkspace) -> tuple[ServedWorkspace, str]:
    """The demo with a second agent, and its token."""
    settings = changing.root / "memory.toml"
    settings.write_text(f'{settings.read_text()}\n[agents.spy]\nsources = ["openclaw:spy"]\n')
    return changing, TokenFile(changing.root).add("spy", CallerKind.AGENT, "spy", NOW)


def test_what_leads_to_what_in_the_demo(reading: ServedWorkspace) -> None:
    """Sessions to what they gave, summaries to facts, what replaced what."""
    value = graph(reading)
    assert ({}, "", "") == (value["left_out"], value["advice"], value["focus"])
    assert {"entry", "fact", "session", "entity", "summary", "detail"} == {node["kind"] for node in value["nodes"]}
    assert {
        ("Hania lives in Augustów now", "Hania lives in Suwałki"),
        ("The owner's favourite cabin is cabin 2", "The owner's favourite cabin is cabin 4"),
        (
            "From now on back to 20 percent deposit for all six cabins, 30 was a mistake",
            "The deposit goes up to 30 percent from april, all six cabins, no exceptions",
        ),
    } == edges(value, "supersedes")
    assert ("Hania lives in Suwałki", "Suwałki") in edges(value, "about")
    assert "The owner's favourite cabin is cabin 2" in {end for _, end in edges(value, "sums_up")}
    entry = reading.ask("/api/v1/entries").value[0]
    assert (entry["source"]["session_id"], entry["title"]) in edges(value, "gave")
    assert {entry["id"] for entry in reading.ask("/api/v1/entries").value} == names(value, "entry")


@table(
    ("query", "first"),
    [
        (f"?entity={quote('hania')}", "entity:Hania"),
        ("?focus=Hania", "entity:Hania"),
        ("?focus=f-0eace304&depth=2", "fact:f-0eace304"),
        ("?focus=fact:f-0eace304", "fact:f-0eace304"),
    ],
)
def test_around_a_node(reading: ServedWorkspace, query: str, first: str) -> None:
    """By its id, or by a name, whatever its case; it comes first."""
    value = graph(reading, query)
    assert (first, first) == (value["focus"], value["nodes"][0]["id"])
    assert "Hania lives in Augustów now" in {node["label"] for node in value["nodes"]}
    assert len(value["nodes"]) < 30


@table(
    ("query", "status"),
    [("?focus=nothing", 404), ("?entity=Nobody", 404), ("?depth=3", 422), ("?kind=lesson", 422), ("?since=x", 422)],
)
def test_what_is_no_part_of_it(reading: ServedWorkspace, query: str, status: int) -> None:
    """A problem says so."""
    assert status == reading.ask(f"{GRAPH}{query}").status


def test_an_agent_sees_no_other_agents_details(two_agents: tuple[ServedWorkspace, str]) -> None:
    """Its own, and those of nobody; a person sees all."""
    workspace, spy = two_agents
    mine, theirs, persons = (
        workspace.ask(
            "/api/v1/memories",
            "POST",
            {"content": f"{LOG}\n{place}", "thread_id": f"t{place}"},
            authorization=f"Bearer {token}",
        ).value["key"]
        for place, token in enumerate((workspace.agent, spy, workspace.person))
    )
    nobodys = shell_detail(workspace.root, LOG).key
    assert {mine, theirs, persons, nobodys} <= names(graph(workspace), "detail")
    for token, own, other in ((workspace.agent, mine, theirs), (spy, theirs, mine)):
        value = graph(workspace, token=token)
        assert {own, nobodys} <= names(value, "detail")
        assert not {other, persons} & names(value, "detail")
    assert 404 == workspace.ask(f"{GRAPH}?focus={mine}", authorization=f"Bearer {spy}").status


def test_an_agent_sees_no_other_agents_conversations(two_agents: tuple[ServedWorkspace, str]) -> None:
    """Nor what their users prefer; and of its own those of the user for whom it asks."""
    workspace, spy = two_agents
    sessions = (("mine", "dry wit", ""), ("theirs", "long odes", ""), ("zoes", "songs", "zoe"))
    for name, tone, user in sessions:
        token = workspace.agent if name == "mine" else spy
        wanted = {"session_id": name, "tone": tone, "preference_scope": "global"}
        path = f"/api/v1/sessions?user_id={user}"
        assert 200 == workspace.ask(path, "POST", wanted, authorization=f"Bearer {token}").status
    own = graph(workspace, token=workspace.agent)
    assert ("mine" in names(own, "session"), True) == (True, "dry wit" in str(own))
    assert not {"theirs", "zoes", "odes", "songs"} & set(str(own).replace("'", " ").split())
    assert {"theirs"} == names(graph(workspace, token=spy), "session") & {"mine", "theirs", "zoes"}
    zoes = graph(workspace, "?user_id=zoe", token=spy)
    assert ({"zoes"}, {("zoe", "tone: songs")}) == (names(zoes, "session"), edges(zoes, "prefers"))
    assert {"mine", "theirs"} <= names(graph(workspace), "session")
    assert 404 == workspace.ask(f"{GRAPH}?focus=session:theirs", authorization=f"Bearer {workspace.agent}").status


def test_an_agent_sees_what_another_knows_by_right_alone(two_agents: tuple[ServedWorkspace, str]) -> None:
    """The preferences that stand in an agent's memory are read by that agent, and by those that may read it."""
    workspace, spy = two_agents
    wanted = {"operation": "PREFERENCE", "text": "Answers without a table.", "agent": "main"}
    assert "written" == workspace.ask("/api/v1/requests", "POST", wanted).value["result"]
    assert [("Owner", wanted["text"])] == [*edges(graph(workspace), "prefers")]
    stranger = TokenFile(workspace.root).add("ghost", CallerKind.AGENT, "ghost", NOW)
    known = names(graph(workspace), "preference")
    assert known
    for token in (workspace.agent, spy):
        assert known == names(graph(workspace, token=token), "preference")
    settings = workspace.root / "memory.toml"
    settings.write_text(settings.read_text().replace("[agents.spy]\n", "[agents.spy]\nmay_read = []\n"))
    for token in (spy, stranger):
        assert set() == names(graph(workspace, token=token), "preference")


def test_a_summary_leads_to_its_conversation(changing: ServedWorkspace) -> None:
    """After twenty messages there is one."""
    changing.ask("/api/v1/sessions", "POST", {"session_id": "s1", "summary": "heuristic_only"})
    said = [{"role": "user", "text": f"The gate code number {number} changes."} for number in range(24)]
    changing.ask("/api/v1/sessions/s1/messages", "POST", said)
    assert changing.summary("s1")
    value = graph(changing, "?session=s1")
    assert {"s1"} == {end for _, end in edges(value, "sums_up")}
    assert {"session", "summary"} == {node["kind"] for node in value["nodes"]}


def test_an_empty_workspace(tmp_path: Path) -> None:
    """No nodes, and no store is made by a look."""
    with served(empty_workspace(tmp_path / "work")) as workspace:
        value = graph(workspace)
    assert {"nodes": [], "edges": [], "focus": "", "left_out": {}, "advice": ""} == value
    assert not (tmp_path / "work" / "store").exists()


@pytest.mark.processor
@pytest.mark.parametrize("number", [1_000, *at_length(10_000)])
def test_many_entries(tmp_path: Path, number: int) -> None:
    """Two hundred nodes, the newest; it takes little more work than the list of entries, whatever else is at work."""
    with served(many_entries(tmp_path / "work", number)) as workspace:
        before = process_time()
        workspace.ask("/api/v1/entries")
        listed = process_time() - before
        value = graph(workspace)
        took = process_time() - before - listed
    assert 200 == len(value["nodes"])
    assert number + number // 10 - 200 == sum(value["left_out"].values())
    assert "Left out" in value["advice"]
    assert took < 2 * listed + 1
