"""Over HTTP one reads what the command line prints with `--json`."""

import json
from urllib.parse import quote

from tests.support.processes.called_command import CalledCommand
from tests.support.tables import table
from tests.support.workspaces.served_demo import ServedWorkspace


def printed(workspace: ServedWorkspace, *words: str) -> list[object]:
    """What a command prints, a value for each line."""
    said = CalledCommand(workspace.root)(*words, "--json", MEMORY_WORKSPACE=str(workspace.root))
    return [json.loads(line) for line in said.out.splitlines()]


@table(
    ("path", "words"),
    [
        ("entries", ["entries"]),
        ("entries?kind=rule", ["entries", "--kind", "rule"]),
        ("entities", ["entities"]),
        ("suggestions", ["suggestions"]),
        ("agents", ["agents"]),
        ("runs?limit=5", ["runs", "--limit", "5"]),
    ],
)
def test_lists_are_those_of_the_command_line(reading: ServedWorkspace, path: str, words: list[str]) -> None:
    """Field by field."""
    expected = printed(reading, *words)
    assert expected
    assert expected == reading.ask(f"/api/v1/{path}").value


def test_single_values(reading: ServedWorkspace) -> None:
    """An entry's story, an entity's facts, a run's changes, and what an agent gets first."""
    entry = reading.ask("/api/v1/entries").value[0]["id"]
    entity = reading.ask("/api/v1/entities").value[0]["name"]
    path = quote(entity)
    run = reading.ask("/api/v1/runs?limit=1").value[0]["run_id"]
    assert printed(reading, "explain", entry) == [reading.ask(f"/api/v1/entries/{entry}").value]
    assert printed(reading, "entities", entity) == [reading.ask(f"/api/v1/entities/{path}").value]
    assert printed(reading, "runs", "show", run) == [reading.ask(f"/api/v1/runs/{run}").value]
    assert printed(reading, "wake", "main") == [reading.ask("/api/v1/wake/main").value]


def test_search_and_recall(reading: ServedWorkspace) -> None:
    """Hits with their places; facts; and the grid of all jobs."""
    hit = reading.ask("/api/v1/search?query=guest+names&k=2").value["hits"][0]
    assert hit["path"].endswith(".md")
    assert isinstance(reading.ask("/api/v1/recall?query=who").value["facts"], list)
    grid = reading.ask("/api/v1/grid?days=7&to=2026-03-08").value
    assert "micro_sync" in {row["job"] for row in grid}


@table(
    ("path", "status"),
    [
        ("entries/NOTHING-1", 404),
        ("entities/Nobody", 404),
        ("runs/nothing", 404),
        ("wake/nobody", 404),
        ("nowhere", 404),
        ("search?query=x&k=0", 422),
        ("search", 422),
        ("search?query=x&kind=json", 422),
        ("search?query=x&tier=detail&kind=rule", 422),
        ("grid?days=0", 422),
        ("runs?job=nothing", 404),
    ],
)
def test_what_is_not_there(reading: ServedWorkspace, path: str, status: int) -> None:
    """A problem with the sentence of the command line."""
    answer = reading.ask(f"/api/v1/{path}")
    assert (status, "application/problem+json") == (answer.status, answer.headers["content-type"])
    assert (status, True) == (answer.value["status"], bool(answer.value["detail"]))


def test_an_agent_reads_its_own(reading: ServedWorkspace) -> None:
    """Its token opens its own memory, and what all agents may read."""
    as_agent = f"Bearer {reading.agent}"
    assert 200 == reading.ask("/api/v1/wake/main", authorization=as_agent).status
    assert 200 == reading.ask("/api/v1/search?query=guest", authorization=as_agent).status
