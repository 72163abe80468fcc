"""`memory init` at a terminal: three questions from a new machine to a first entry, without an editor."""

import os
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.support.builders.claude_lines import ClaudeLines
from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.processes.command_line import CommandLine, Said
from tests.support.processes.fake_program import Behaviour, Call, fake_program
from tests.support.processes.preparation import controlled
from tests.support.processes.terminal import on_terminal

SIGNED_IN = '{"loggedIn": true, "authMethod": "oauth_token", "apiProvider": "firstParty"}'
BY_KEY = '{"loggedIn": true, "authMethod": "api_key", "apiProvider": "firstParty"}'


@pytest.fixture
def owner(home: Path) -> CommandLine:
    """The owner of a machine with a session of Claude Code and one of OpenClaw."""
    spoken = ClaudeLines(timestamp=f"{datetime.now(UTC) - timedelta(days=2):%Y-%m-%dT%H:%M:%S.000Z}")
    spoken.user("Remember that the boat key hangs with Anna.")
    spoken.assistant("Noted.")
    spoken.write(home / ".claude/projects/shop/8f1c2d.jsonl")
    OpenClawLines("s-1").write(home / ".openclaw/agents/main/sessions/s-1.jsonl")
    return CommandLine(home)


def asked(owner: CommandLine, typed: str, *, login: str = SIGNED_IN, **variables: str) -> Said:
    """`memory init` with a `claude` on the machine, at which a person types."""

    def behave(call: Call) -> Behaviour:
        return Behaviour(login, code=int(not login)) if call.argv == ["auth", "status"] else Behaviour(code=1)

    with fake_program(owner.home / "bin", "claude", behave):
        path = os.pathsep.join([str(owner.home / "bin"), os.environ["PATH"]])
        words = ("init", owner.home / "w")
        return on_terminal(owner, 120, *words, typed=typed, prepared=controlled(), **{"PATH": path} | variables)


def settings(owner: CommandLine) -> dict[str, Any]:
    """The settings of the new workspace."""
    return tomllib.loads((owner.home / "w" / "memory.toml").read_text())


def test_three_answers_lead_to_an_entry(owner: CommandLine) -> None:
    """All transcripts, no model, and yes."""
    said = asked(owner, "all\nnone\ny\n")
    assert 0 == said.code, said.out
    assert ["claude_code", "openclaw"] == sorted(source["kind"] for source in settings(owner)["sources"])
    assert "model" not in settings(owner)
    (written,) = (owner.home / "w" / "memory").glob("20*.md")
    assert "boat key" in written.read_text()


@pytest.mark.parametrize(
    ("typed", "login", "kinds", "program"),
    [
        ("1\n\nn\n", SIGNED_IN, ["claude_code"], "claude"),
        ("9\nall\n\nn\n", SIGNED_IN, ["claude_code", "openclaw"], ""),
        ("1\n\nn\n", BY_KEY, ["claude_code"], ""),
        ("1\n1\nn\n", BY_KEY, ["claude_code"], "claude"),
        ("1\nn\n", "", ["claude_code"], ""),
        ("2,1\n1\nn\n", SIGNED_IN, ["claude_code", "openclaw"], "claude"),
    ],
)
def test_a_model_is_chosen_by_itself_only_where_its_provider_knows_the_text(
    owner: CommandLine, typed: str, login: str, kinds: list[str], program: str
) -> None:
    """And where a login pays; another one has to be named. Who says no at last has read nothing."""
    said = asked(owner, typed, login=login)
    assert kinds == [source["kind"] for source in settings(owner)["sources"]], said.out
    assert program == settings(owner).get("model", {}).get("program", "")
    assert not list((owner.home / "w" / "memory").glob("*.md"))


@pytest.mark.parametrize(("typed", "variables"), [("none\n", {}), ("\4", {}), ("", {"CLAUDECODE": "1"})])
def test_without_an_answer_there_are_proposals(owner: CommandLine, typed: str, variables: dict[str, str]) -> None:
    """A person answers none or types Ctrl+D, or an agent runs it: the tables stand behind a #, and nothing is read."""
    said = asked(owner, typed, **variables)
    assert (0, True) == (said.code, "take the # away" in said.out)
    assert "sources" not in settings(owner)
