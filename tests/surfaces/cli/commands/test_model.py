"""`memory config model`: the models of this machine, one of them tried, one of them used."""

import os
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.processes.command_line import Said
from tests.support.processes.fake_program import Behaviour, Call, fake_program, lines
from tests.support.tables import table

ANSWER = {"closes_at": "21:00"}
Calling = Callable[..., Said]


def answering(call: Call) -> Behaviour:
    """As Claude Code answers, signed in by subscription."""
    if call.argv == ["auth", "status"]:
        return Behaviour('{"loggedIn": true, "authMethod": "oauth_token", "apiProvider": "firstParty"}')
    usage = {"input_tokens": 7, "output_tokens": 3}
    result = {"type": "result", "subtype": "success", "is_error": False, "usage": usage, "structured_output": ANSWER}
    return Behaviour(lines(result))


@pytest.fixture
def path(tmp_path: Path) -> Iterator[str]:
    """A PATH with a `claude` that answers, and nothing else."""
    with fake_program(tmp_path / "bin", "claude", answering):
        yield os.pathsep.join([str(tmp_path / "bin"), os.defpath])


def model_of(workspace: Path) -> dict[str, object]:
    """The table of the model in the settings."""
    table: dict[str, object] = tomllib.loads((workspace / "memory.toml").read_text()).get("model", {})
    return table


def test_the_models_of_a_machine_are_listed(workspace: Path, call: Calling, path: str) -> None:
    """With whether they can be asked, and where text goes; none is asked a question."""
    claude, codex = call("config", "model", "--json", "--workspace", workspace, PATH=path).records[:2]
    assert ("claude", True, False) == (claude["name"], claude["ready"], claude["in_use"])
    assert ("codex", False) == (codex["name"], codex["ready"])
    assert claude["text_goes_to"].startswith("Anthropic")
    said = call("config", "model", "--workspace", workspace, PATH=path)
    assert "signed in by a login; not asked" in said.out


def test_a_model_is_tried_without_being_used(workspace: Path, call: Calling, path: str) -> None:
    """The answer, the time and the tokens; the settings stay as they are."""
    before = (workspace / "memory.toml").read_bytes()
    said = call("config", "model", "try", "claude", "--workspace", workspace, PATH=path)
    assert (0, True, True) == (said.code, "'21:00'" in said.out, "7 tokens in, 3 out" in said.out)
    assert before == (workspace / "memory.toml").read_bytes()
    tried = call("config", "model", "try", "claude", "--json", "--workspace", workspace, PATH=path).records
    assert [("ok", "claude:default"), ("ok", "claude:haiku")] == [
        (one["health"], one["told"].split()[0]) for one in tried
    ]
    assert 1 == call("config", "model", "try", "codex", "--workspace", workspace, PATH=path).code
    assert 1 == call("config", "model", "try", "--workspace", workspace, PATH=path).code


def test_a_model_is_used_and_given_up_again(workspace: Path, call: Calling, path: str) -> None:
    """It is said where text goes from then on, and what is missing."""
    said = call("config", "model", "use", "claude", "--model", "sonnet", "--workspace", workspace, PATH=path)
    assert ({"program": "claude", "name": "sonnet"}, True) == (model_of(workspace), "goes to Anthropic" in said.out)
    assert "claude:sonnet" in call("doctor", "--json", "--workspace", workspace, PATH=path).out
    [chosen] = call("config", "model", "use", "claude", "--json", "--workspace", workspace, PATH=path).records
    assert ("claude", True) == (chosen["name"], "Anthropic" in chosen["text_goes_to"])
    said = call("config", "model", "use", "codex", "--workspace", workspace, PATH=path)
    assert ({"program": "codex"}, True) == (model_of(workspace), "It cannot yet" in said.out)
    call("config", "model", "use", "http://127.0.0.1:9/v1", "--model", "m", "--workspace", workspace, PATH=path)
    assert {"base_url": "http://127.0.0.1:9/v1", "name": "m"} == model_of(workspace)
    call("config", "model", "use", "none", "--workspace", workspace, PATH=path)
    assert {} == model_of(workspace)


@pytest.mark.parametrize(
    ("name", "settings", "sentence"),
    [
        ("gemini", "", "'claude' or 'codex'"),
        ("http://127.0.0.1:9/v1", "", "model.name: set this too"),
        ("claude", 'model.base_url = "http://127.0.0.1:9/v1"\nmodel.name = "m"\n', "write the choice by hand"),
        ("claude", "timezone =\n", "memory.toml has 1 problem"),
    ],
)
def test_a_choice_that_cannot_be_written(
    workspace: Path, call: Calling, name: str, settings: str, sentence: str
) -> None:
    """A sentence, and the file stays as it is."""
    file = workspace / "memory.toml"
    file.write_text(settings or file.read_text())
    before = file.read_bytes()
    said = call("config", "model", "use", name, "--workspace", workspace, PATH=os.defpath)
    assert (2, True) == (said.code, sentence in said.err), said.err
    assert before == file.read_bytes()


TWO_SOURCES = """[[sources]]
kind = "claude_code"
path = "claude"
[[sources]]
kind = "openclaw"
path = "chats"
name = "my chats"
"""


def test_a_source_is_allowed_to_a_program(workspace: Path, call: Calling, path: str) -> None:
    """By itself a program sees its own agent's sessions alone; the command says who sees what from then on."""
    file = workspace / "memory.toml"
    file.write_text(f'timezone = "UTC"\n# ours\n{TWO_SOURCES}[model]\nprogram = "claude"\n')
    before = call("config", "model", "--workspace", workspace, PATH=path)
    assert "claude sees the text of claude_code. No model sees that of my chats" in " ".join(before.out.split())
    doctor = call("doctor", "--json", "--workspace", workspace, PATH=path)
    assert "no model may see the words of my chats" in doctor.out
    said = call("config", "model", "allow", "claude", "my chats", "--mixed", "--workspace", workspace, PATH=path)
    assert (0, "claude sees the text of claude_code, my chats.") == (said.code, said.out.strip())
    assert {"program": "claude", "mixed": "claude", "sources": {"my chats": "claude"}} == model_of(workspace)
    said = call("config", "model", "allow", "offline", "my chats", "claude_code", "--workspace", workspace, PATH=path)
    assert (0, True) == (said.code, said.out.startswith("No model sees that of claude_code, my chats"))
    assert {"my chats": "offline", "claude_code": "offline"} == model_of(workspace)["sources"]
    said = call("config", "model", "allow", "claude", "claude_code", "--json", "--workspace", workspace, PATH=path)
    assert {"claude": ["claude_code"], "offline": ["my chats"]} == {
        reader["reader"]: reader["sources"] for reader in said.records
    }
    assert "# ours" in file.read_text()
    doctor = call("doctor", "--json", "--workspace", workspace, PATH=path)
    assert "no model may see" not in doctor.out


@table(
    ("model", "arguments", "sentence"),
    [
        (
            '[model]\nprogram = "claude"\n',
            ("claude", "chat"),
            "there is no source 'chat'; known: claude_code, my chats",
        ),
        ('[model]\nprogram = "claude"\n', ("claude",), "Name a source, or say --mixed."),
        ("", ("claude", "my chats"), "write the choice by hand"),
        ('[model]\nprogram = "claude"\n[model.sources]\n', ("claude", "my chats"), "write the choice by hand"),
    ],
)
def test_a_source_that_cannot_be_allowed(
    workspace: Path, call: Calling, model: str, arguments: tuple[str, ...], sentence: str
) -> None:
    """A sentence, and the file stays as it is."""
    file = workspace / "memory.toml"
    file.write_text(f'timezone = "UTC"\n{TWO_SOURCES}{model}')
    before = file.read_bytes()
    said = call("config", "model", "allow", *arguments, "--workspace", workspace, PATH=os.defpath)
    assert (2, True) == (said.code, sentence in " ".join(said.err.split())), said.err
    assert before == file.read_bytes()
