"""Our plugins do what `memory agents connect` writes, and have the product's version."""

import json
import tomllib
from pathlib import Path

from pipeline.integration.known_agents import AGENTS, Connection, instructions

ROOT = Path(__file__).parents[2]
PLUGINS = ROOT / "plugins"
PARTS = {"notice": "notice", "prompt": "prompt", "wake": "wake", "claude-code": "replace"}
"""The part of a plugin, by the word of a hook that says what it does."""


def hooks_of(kind: str) -> dict[str, list[tuple[str, str, int]]]:
    """The hooks that `memory agents connect` writes: of each event the matcher, the part and the time."""
    connection = Connection("memory", "/w", "", Path("/home/x"), {})
    pieces = [piece for edit in AGENTS[kind].edits(connection) for piece in edit.pieces if piece.path[:1] == ("hooks",)]
    made = dict[str, list[tuple[str, str, int]]]()
    for piece in pieces:
        group = json.loads(json.dumps(piece.value))
        [hook] = group["hooks"]
        made[piece.path[1]] = [(group.get("matcher", ""), PARTS[hook["command"].split()[1]], hook["timeout"])]
    return made


def plugged(name: str) -> dict[str, list[tuple[str, str, int]]]:
    """The same of a plugin."""
    read = json.loads((PLUGINS / name / "hooks" / "hooks.json").read_text())["hooks"]
    return {
        event: [
            (group.get("matcher", ""), (hook.get("args") or hook["command"].split()[1:])[2], hook["timeout"])
            for group in groups
            for hook in group["hooks"]
        ]
        for event, groups in read.items()
    }


def test_the_hooks_are_those_of_the_lines() -> None:
    """Gemini CLI has another, which only says that both are there."""
    assert hooks_of("claude-code") == plugged("claude-code")
    assert hooks_of("gemini-cli") | {"SessionStart": [("", "check", 5_000)]} == plugged("gemini-cli")


def test_the_extension_has_the_lines_for_instructions() -> None:
    """Those of an agent without a memory of its own."""
    assert instructions("", shown=True, hooked=False) + "\n" == (PLUGINS / "gemini-cli" / "GEMINI.md").read_text()


def test_they_have_the_version_of_the_product() -> None:
    """A client updates a plugin whose version changes."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    for file in ("claude-code/.claude-plugin/plugin.json", "gemini-cli/gemini-extension.json"):
        assert version == json.loads((PLUGINS / file).read_text())["version"]


def test_the_commands_say_the_same_in_both() -> None:
    """They differ by the workspace, and by the way in which a client writes what was typed."""
    for name in ("recall", "remember", "inbox"):
        claude = (PLUGINS / f"claude-code/commands/{name}.md").read_text().split("---\n", 2)[2]
        claude = claude.replace(' --workspace "${user_config.workspace}"', "").replace("$ARGUMENTS", "{{args}}")
        gemini = tomllib.loads((PLUGINS / f"gemini-cli/commands/memory/{name}.toml").read_text())["prompt"]
        assert claude == gemini
