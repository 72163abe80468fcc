"""`memory config token`."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pipeline.workspace.tokens import FILE, TokenFile
from schemas.caller import CallerKind
from tests.support.processes.command_line import Said

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


def test_the_list_says_until_when(workspace: Path, call: Callable[..., Said]) -> None:
    """A browser's token has an end, others have none; no part of a token is shown."""
    tokens = TokenFile(workspace)
    tokens.add("page-1", CallerKind.PERSON, "", NOW, lasting=timedelta(days=30))
    tokens.add("bot", CallerKind.AGENT, "main", NOW)
    said = call("config", "token", "list", "--workspace", workspace)
    rows = [line.split() for line in said.out.splitlines()]
    assert [
        ["TOKEN", "WHOSE", "ADDED", "EXPIRES"],
        ["page-1", "person", "2026-03-02", "2026-04-01"],
        ["bot", "main", "2026-03-02", "never"],
    ] == rows
    records = call("config", "token", "list", "--json", "--workspace", workspace).records
    assert ["2026-04-01T09:00:00+00:00", None] == [one["expires"] for one in records]
    assert {"name", "kind", "agent", "added", "expires"} == set(records[0])


def test_tokens_of_an_earlier_version(workspace: Path, call: Callable[..., Said]) -> None:
    """They are listed as without an end."""
    TokenFile(workspace).add("anna", CallerKind.PERSON, "", NOW)
    file = workspace / FILE
    kept = json.loads(file.read_text())
    file.write_text(json.dumps([{name: one[name] for name in one if name != "expires"} for one in kept]))
    assert "never" == call("config", "token", "list", "--workspace", workspace).out.split()[-1]
    assert [None] == [
        one["expires"] for one in call("config", "token", "list", "--json", "--workspace", workspace).records
    ]


def test_a_token_that_is_revoked(workspace: Path, call: Callable[..., Said]) -> None:
    """It leaves the list."""
    TokenFile(workspace).add("page-1", CallerKind.PERSON, "", NOW, lasting=timedelta(days=30))
    assert "page-1 is revoked" in call("config", "token", "revoke", "page-1", "--workspace", workspace).out
    assert "There is no token" in call("config", "token", "list", "--workspace", workspace).out


def test_a_script_gets_the_token_of_an_agent(workspace: Path, call: Callable[..., Said]) -> None:
    """As JSON, without a terminal; a token that is revoked is named."""
    with (workspace / "memory.toml").open("a") as file:
        file.write("[agents.main]\n")
    [made] = call("config", "token", "add", "ci", "--agent", "main", "--json", "--workspace", workspace).records
    assert ("ci", "agent", "main", True) == (made["name"], made["kind"], made["agent"], made["token"].startswith("mem"))
    assert [{"name": "ci"}] == call("config", "token", "revoke", "ci", "--json", "--workspace", workspace).records


def test_no_agent_makes_a_token(workspace: Path, call: Callable[..., Said]) -> None:
    """Nor does anybody make a person's where nobody can be asked."""
    for words in (("bot", "--agent", "main"), ("anna",)):
        said = call("config", "token", "add", *words, "--workspace", workspace, CLAUDECODE="1")
        assert (True, ()) == ("Only a person" in said.err, TokenFile(workspace).read_tokens())


def test_no_token_is_made_for_an_agent_that_is_not_there(workspace: Path, call: Callable[..., Said]) -> None:
    """The agents of the settings are named."""
    said = call("config", "token", "add", "bot", "--agent", "nobody", "--workspace", workspace)
    assert (2, True, ()) == (
        said.code,
        "There is no agent with a memory of its own 'nobody'" in said.err,
        TokenFile(workspace).read_tokens(),
    )
