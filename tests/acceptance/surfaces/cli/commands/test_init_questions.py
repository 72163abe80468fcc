"""`memory init` at a terminal: a few questions from a new machine to a first entry, without an editor."""

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


def asked(
    owner: CommandLine, typed: str, *words: str, login: str = SIGNED_IN, interrupted_at: str = "", **variables: str
) -> Said:
    """`memory init` with a `claude` and a systemd on the machine, at which a person types; the embedder is decided."""

    def obey(_: Call) -> Behaviour:
        return Behaviour()

    def behave(call: Call) -> Behaviour:
        return Behaviour(login, code=int(not login)) if call.argv == ["auth", "status"] else Behaviour(code=1)

    called = ("init", owner.home / "w", "--embedder", "none", *words)
    with fake_program(owner.home / "bin", "claude", behave), fake_program(owner.home / "bin", "systemctl", obey):
        path = os.pathsep.join([str(owner.home / "bin"), os.environ["PATH"]])
        variables = {"PATH": path} | variables
        return on_terminal(
            owner, 120, *called, typed=typed, interrupted_at=interrupted_at, prepared=controlled(), **variables
        )


def settings(owner: CommandLine) -> dict[str, Any]:
    """The settings of the new workspace."""
    return tomllib.loads((owner.home / "w" / "memory.toml").read_text())


def test_the_answers_lead_to_an_entry(owner: CommandLine) -> None:
    """All transcripts, another zone, no model, a page, no service, and yes: the best line is shown with its words."""
    said = asked(owner, "all\nAsia/Nowhere\nAsia/Shanghai\nnone\ny\nn\ny\n")
    assert 0 == said.code, said.out
    made = settings(owner)
    assert ["claude_code", "openclaw"] == sorted(source["kind"] for source in made["sources"])
    assert ("Asia/Shanghai", "none", False) == (made["timezone"], made["embedder"]["kind"], "model" in made)
    assert made["service"]["http"].startswith("127.0.0.1:")
    (written,) = (owner.home / "w" / "memory").glob("20*.md")
    assert "boat key" in written.read_text()
    shown = said.out.partition("The lines that were found:")[2]
    assert '"Remember that the boat key hangs with Anna."' in shown
    assert f"memory/{written.name}#L3" in shown.partition("From now on")[0]


@pytest.mark.parametrize(
    ("typed", "login", "kinds", "program"),
    [
        ("1\n\n\nn\nn\nn\n", SIGNED_IN, ["claude_code"], "claude"),
        ("9\nall\n\n\nn\nn\nn\n", SIGNED_IN, ["claude_code", "openclaw"], ""),
        ("1\n\n\nn\nn\nn\n", BY_KEY, ["claude_code"], ""),
        ("1\n\n1\nn\nn\nn\n", BY_KEY, ["claude_code"], "claude"),
        ("1\n\nn\nn\nn\n", "", ["claude_code"], ""),
        ("2,1\n\n1\nn\nn\nn\n", SIGNED_IN, ["claude_code", "openclaw"], "claude"),
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


@pytest.mark.parametrize(("typed", "variables"), [("\4", {}), ("", {"CLAUDECODE": "1"})])
def test_without_an_answer_there_are_proposals(owner: CommandLine, typed: str, variables: dict[str, str]) -> None:
    """A person types Ctrl+D, or an agent runs it: the tables stand behind a #, and nothing is read."""
    said = asked(owner, typed, **variables)
    assert (0, True) == (said.code, "take the # away" in said.out)
    assert "sources" not in settings(owner)


def test_none_is_an_answer(owner: CommandLine) -> None:
    """Nothing is read, and no hint asks again."""
    said = asked(owner, "none\n")
    assert (0, True) == (said.code, "No transcripts are read, as you said" in said.out)
    stores = [str(owner.home / ".claude" / "projects"), str(owner.home / ".openclaw")]
    assert stores == sorted(settings(owner)["sources_ignored"])
    assert "no setting names it" not in owner("config", "check", "--workspace", owner.home / "w").out


QUESTIONS = {
    "Which may be read?": "",
    "in which your days begin": "all\n",
    "Which may answer?": "all\n\n",
    "Show it in the browser too": "all\n\nnone\n",
    "Let systemd run it by itself": "all\n\nnone\ny\n",
    "now? [Y/n]": "all\n\nnone\ny\nn\n",
}
"""The questions, and what is typed before each."""


@pytest.mark.parametrize("question", QUESTIONS)
def test_ctrl_c_at_a_question_leaves_nothing(owner: CommandLine, question: str) -> None:
    """Whatever was answered before: no folder is made, and a sentence says how to go on."""
    said = asked(owner, QUESTIONS[question], interrupted_at=question)
    assert (130, False) == (said.code, (owner.home / "w").exists()), said.out
    assert f"nothing was made. `memory init {owner.home / 'w'}` asks again." in said.out


def test_options_answer_all_questions(owner: CommandLine) -> None:
    """Then none is asked; the service is installed, and started by the commands of systemd."""
    options = ["--source", "claude-code", "--timezone", "Europe/Warsaw", "--model", "none"]
    options += ["--page", "--service", "--no-read"]
    said = asked(owner, "", *options)
    assert (0, False) == (said.code, "? " in said.out), said.out
    made = settings(owner)
    assert [["claude_code"], "Europe/Warsaw"] == [[one["kind"] for one in made["sources"]], made["timezone"]]
    assert [str(owner.home / ".openclaw")] == made["sources_ignored"]
    (unit,) = (owner.home / ".config" / "systemd" / "user").glob("memory.service")
    assert str(owner.home / "w") in unit.read_text()
    assert "The service reads new sessions" in said.out


@pytest.mark.parametrize(
    ("columns", "variables"), [(40, {}), (80, {"TERM": "dumb"}), (80, {"LANG": "C", "LC_ALL": "C"})]
)
def test_any_terminal_will_do(owner: CommandLine, columns: int, variables: dict[str, str]) -> None:
    """A narrow one, one without escapes, one without letters beyond ASCII."""
    words = ("init", owner.home / "w", "--yes", "--embedder", "none", "--model", "none")
    said = on_terminal(owner, columns, *words, prepared=controlled(), **variables)
    assert (0, True) == (said.code, "From now on" in said.out), said.out
    assert "boat key" in said.out
