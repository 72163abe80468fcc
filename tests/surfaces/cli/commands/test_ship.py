"""`memory ship`: what it sends, what it says, and how it ends."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from pipeline.workspace.tokens import TokenFile
from schemas.caller import CallerKind
from schemas.exit_codes import NO_PERSON, UNUSABLE, WAITING
from tests.support.processes.called_command import CalledCommand
from tests.support.processes.command_line import Said
from tests.support.workspaces.served_demo import ServedWorkspace
from tests.support.workspaces.shipping import NOW, days_of, receiving, run_jobs, sessions_in

Ship = Callable[..., Said]
NOBODY = "mem_nobody"
KEY = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServedWorkspace]:
    """A server that takes transcripts."""
    with receiving(tmp_path / "server") as workspace:
        yield workspace


@pytest.fixture
def ship(call: Callable[..., Said], workspace: Path, server: ServedWorkspace) -> Ship:
    """Call the command in a workspace with one session, with the token of the owner."""
    named = {"MEMORY_SHIP__URL": server.address, "MEMORY_SHIP__TOKEN": server.person}
    return partial(call, "ship", "--workspace", workspace, **named)


def test_what_is_new_is_sent_once(ship: Ship, server: ServedWorkspace, workspace: Path) -> None:
    """The server gets the session as jobs here have it; then nothing is new."""
    laptop = TokenFile(server.root).add("laptop", CallerKind.LAPTOP, "", NOW)
    first = ship(MEMORY_SHIP__TOKEN=laptop)
    assert (0, "") == (first.code, first.err)
    assert f"5 messages of 1 session sent to {server.address}." in first.out
    assert sessions_in(workspace) == sessions_in(server.root)
    assert (0, f"Nothing is new for {server.address}.\n") == ((again := ship()).code, again.out)
    assert [(0, 0, 1, True)] == [
        (report["sessions"], report["messages"], report["unchanged"], report["reads"])
        for report in ship("--json").records
    ]
    assert [(1, False)] == [(report["sessions"], report["ships_only"]) for report in ship("--json", "--again").records]
    assert "this token may do everything there; `memory config token add NAME --laptop`" in ship("--again").err


def test_a_dry_run_shows_what_would_leave(ship: Ship, server: ServedWorkspace, workspace: Path) -> None:
    """With secrets masked, and the words of nobody but the owner and the assistant; no server is asked."""
    lines = workspace / "sessions" / "s-one.jsonl"
    lines.write_text(lines.read_text().replace("why is the sky blue?", f"the token is {KEY}"))
    (session,) = ship("--dry-run", "--json", MEMORY_SHIP__URL="http://127.0.0.1:1").records
    texts = [message["text"] for message in session["messages"]]
    assert ("s-one", 5) == (session["session"], len(texts))
    assert (40, "") == (session["masked"], texts[3])
    assert KEY not in str(session)
    assert "s-one" in ship("--dry-run").out
    assert [] == server.ask("/api/v1/sessions").value
    ship()
    assert "Nothing is new.\n" == ship("--dry-run").out


def test_how_it_ends(ship: Ship, server: ServedWorkspace) -> None:
    """Each trouble has an exit code and a next step, and nothing is sent."""
    away = ship(MEMORY_SHIP__URL="http://127.0.0.1:1")
    assert (WAITING, True) == (away.code, "the next `memory ship` goes on" in away.err)
    assert NO_PERSON == ship(MEMORY_SHIP__TOKEN=NOBODY).code
    agent = ship(MEMORY_SHIP__TOKEN=server.agent)
    assert (NO_PERSON, True) == (agent.code, "Only a person may do that" in agent.err)
    assert UNUSABLE == ship(MEMORY_SHIP__URL="").code
    assert UNUSABLE == ship(MEMORY_SHIP__URL="http://memory.example.org").code
    assert UNUSABLE == ship(MEMORY_SHIP__URL=f"{server.address}/elsewhere").code
    assert [] == server.ask("/api/v1/sessions").value
    assert 0 == ship().code


def test_the_doctor_and_the_status_tell_how_it_stands(
    ship: Ship, call: Callable[..., Said], server: ServedWorkspace, workspace: Path
) -> None:
    """Nothing yet, failing since a moment, and well."""
    place = ("--workspace", workspace, "--json")
    named = {"MEMORY_SHIP__URL": server.address}

    def standing() -> tuple[str, str, str]:
        (check,) = (one for one in call("doctor", *place, **named).records if one.get("check") == "ship")
        (status,) = (one for one in call("status", *place, **named).records if "ship_url" in one)
        return check["health"], check["told"][:14], status["failure"][: len(server.address)]

    assert ("warn", "nothing was se", "") == standing()
    ship(MEMORY_SHIP__TOKEN=NOBODY)
    assert ("warn", "it fails since", server.address) == standing()
    ship()
    assert ("ok", "the last was a", "") == standing()


def test_a_workspace_that_is_neither_listed_nor_named_ships_nothing(
    memory: CalledCommand, workspace: Path, server: ServedWorkspace
) -> None:
    """A folder that came with a clone may name any server; who names the workspace means it."""
    plain = (workspace / "memory.toml").read_text()
    with (workspace / "memory.toml").open("a") as settings:
        settings.write(f'\n[ship]\nurl = "{server.address}"\ntoken = "{server.person}"\n')
    refused = replace(memory, folder=workspace)("ship")
    assert (UNUSABLE, True) == (refused.code, "is not on your list of workspaces" in refused.err)
    assert "ship.url" in refused.err
    (workspace / "memory.toml").write_text(plain)
    named = {"MEMORY_SHIP__URL": server.address, "MEMORY_SHIP__TOKEN": server.person}
    refused = replace(memory, folder=workspace)("ship", **named)
    assert (UNUSABLE, True) == (refused.code, "is not on your list of workspaces" in refused.err)
    assert [] == server.ask("/api/v1/sessions").value
    assert 0 == memory("ship", "--workspace", workspace, **named).code


def test_an_entry_of_a_shipped_session_is_forgotten(
    ship: Ship, call: Callable[..., Said], server: ServedWorkspace, workspace: Path
) -> None:
    """Its words are masked in the conversation that holds the session, where no other entry quotes them."""
    ship()
    place = ("--workspace", server.root)
    run_jobs(server.root, *days_of(workspace))
    entries = call("show", "entries", "--json", *place).records
    (wrong,) = (entry["id"] for entry in entries if "septic" in str(entry))
    assert 0 == call("forget", wrong, "--yes", *place).code
    (talk,) = (listed["conversation"]["session_id"] for listed in server.ask("/api/v1/sessions").value)
    texts = [message["text"] for message in server.ask(f"/api/v1/sessions/{talk}").value["messages"]]
    assert "septic" not in str(texts)
    assert "give every migration a downgrade" in str(texts)
    ship("--again")
    assert texts == [message["text"] for message in server.ask(f"/api/v1/sessions/{talk}").value["messages"]]
