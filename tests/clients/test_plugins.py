"""Our plugins in the real clients: they are valid, they are installed from the folder, and they show the memory."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes.command_line import CommandLine, Said, bare_environment
from tests.support.servers.provider_server import ProviderServer

pytestmark = pytest.mark.clients

ROOT = Path(__file__).parents[2]
PLUGINS = ROOT / "plugins"
_PROGRAMS = ROOT / ".clients/node_modules/.bin"
RULE = "Never push on a Friday."
ASKED = "when is the reed cut?"
OTHERWISE = "has connected"
"""Of the sentence of a plugin whose client is connected by `memory agents connect`."""


class Person:
    """Somebody with a client in a HOME of its own, and a workspace whose page has one rule."""

    program = ""
    options: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    """Those with which it has our tools in its first request, and asks the provider at `{address}`."""

    def __init__(self, folder: Path) -> None:
        """Skip where the client is not installed."""
        self.file = _PROGRAMS / self.program
        if not os.access(self.file, os.X_OK):
            pytest.skip(f"{self.program} is not installed; `make clients` installs it")
        self.home, self.root, self.work = folder / "home", folder / "my memory", folder / "shop"
        for path in (self.home, self.root, self.work):
            path.mkdir()
        (self.root / "memory.toml").write_text('timezone = "UTC"\n[embedder]\nkind = "none"\n')
        (self.root / "MEMORY.md").write_text(f"- {RULE}\n")

    def memory(self, *words: str) -> Said:
        """A command of ours, with the client's HOME."""
        return CommandLine(self.home)(*words, "--workspace", self.root)

    def run(self, *words: object, typed: str = "", **variables: str) -> str:
        """A command of the client, which finds our programs; what it prints."""
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        done = subprocess.run(
            [self.file, *map(str, words)],
            env=bare_environment(self.home, PATH=path, DISABLE_AUTOUPDATER="1", **variables),
            cwd=self.work,
            input=typed,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        assert (words, 0) == (words, done.returncode), done.stdout + done.stderr
        return done.stdout + done.stderr

    def asked(self, prompt: str = ASKED) -> tuple[str, set[str]]:
        """All that the model reads in a session of one prompt, and the names of its tools."""
        with ProviderServer(lambda _said: "fine") as provider:
            given = dict(one.format(address=provider.address).split("=", 1) for one in self.variables)
            self.run("-p", prompt, *self.options, **given)
        names = {name for asked in provider.asked for name in asked.tools}
        return "\n".join(asked.words for asked in provider.asked), {name for name in names if "memory" in name}


class ClaudeCode(Person):
    """A person with Claude Code."""

    program = "claude"
    variables = (
        "ANTHROPIC_BASE_URL={address}",
        "ANTHROPIC_API_KEY=none",
        "ENABLE_TOOL_SEARCH=false",
        "MCP_CONNECTION_NONBLOCKING=false",
    )

    def install(self) -> None:
        """Install the plugin from the folder."""
        self.run("plugin", "marketplace", "add", PLUGINS)
        self.run("plugin", "install", "memory@agent-memory", "--config", f"workspace={self.root}")


def test_the_plugin_of_claude_code_is_valid(tmp_path: Path) -> None:
    """Without a warning, and the directory of plugins would take it."""
    person, plugin = ClaudeCode(tmp_path), PLUGINS / "claude-code"
    for words in (("--strict", PLUGINS), ("--strict", plugin), ("--profile", "directory", plugin)):
        assert "Validation" in person.run("plugin", "validate", *words)


def test_the_plugin_of_claude_code_shows_the_memory(tmp_path: Path) -> None:
    """A session begins with the page, and has our tools; a command is a prompt with the workspace in it."""
    person = ClaudeCode(tmp_path)
    person.install()
    read, tools = person.asked()
    assert (1, True) == (read.count(RULE), "mcp__plugin_memory_memory__memory_search" in tools)
    read, _ = person.asked("/memory:recall the reed")
    assert "The owner asks the memory about: the reed" in read
    assert rf"memory recall --workspace \"{person.root}\"" in read
    read, _ = person.asked("/memory:inbox")
    assert "Never accept, edit or decline a suggestion yourself" in read


def test_a_command_of_the_plugin_is_no_word_of_the_owner(tmp_path: Path) -> None:
    """Its text is ours: nothing of it is read as if the owner had said it."""
    person = ClaudeCode(tmp_path)
    person.install()
    person.asked("/memory:remember the reed is cut in March")
    with (person.root / "memory.toml").open("a") as file:
        file.write(f'[[sources]]\nkind = "claude_code"\npath = "{person.home}/.claude/projects"\nheadless = true\n')
    [session] = person.memory("show", "transcripts", "--json").records
    messages = person.memory("show", "transcript", session["id"], "--json").records
    assert [] == [one["text"] for one in messages if one["origin"] == "owner"]


def test_the_plugin_of_claude_code_does_nothing_twice(tmp_path: Path) -> None:
    """Where `memory agents connect` has connected the client already: one server, one page, and the person is told."""
    person = ClaudeCode(tmp_path)
    assert 0 == person.memory("agents", "connect", "claude-code", "--apply", "--yes").code
    person.install()
    read, tools = person.asked()
    assert (1, True) == (read.count(RULE), "mcp__memory__memory_search" in tools)
    assert [] == [name for name in tools if "plugin" in name]
    sessions = [file.read_text() for file in (person.home / ".claude" / "projects").rglob("*.jsonl")]
    assert any(OTHERWISE in text for text in sessions)
    person.memory("agents", "connect", "claude-code", "--remove", "--yes")
    refused = person.memory("agents", "connect", "claude-code", "--apply", "--yes")
    assert "the plugin memory@agent-memory for this workspace already" in refused.err


class GeminiCli(Person):
    """A person with Gemini CLI, who trusts the folder of our extension."""

    program = "gemini"
    options = ("-m", "gemini-2.5-flash")
    variables = ("GOOGLE_GEMINI_BASE_URL={address}", "GEMINI_API_KEY=none", "GEMINI_CLI_TRUST_WORKSPACE=true")
    extension = PLUGINS / "gemini-cli"

    def __init__(self, folder: Path) -> None:
        """Sign in by a key."""
        super().__init__(folder)
        own = self.home / ".gemini"
        own.mkdir()
        settings = {"security": {"auth": {"selectedType": "gemini-api-key"}}, "telemetry": {"enabled": False}}
        (own / "settings.json").write_text(json.dumps(settings))
        (own / "trustedFolders.json").write_text(json.dumps({str(PLUGINS): "TRUST_FOLDER"}))

    def install(self, way: str = "install") -> None:
        """Install the extension from the folder, and type the workspace."""
        self.run("extensions", way, self.extension, "--consent", typed=f"{self.root}\r")


def test_the_extension_of_gemini_cli_shows_the_memory(tmp_path: Path) -> None:
    """It is valid and is installed from the folder; a session reads its lines, and the server answers.

    A session of one prompt may end before the client has the tools of a server.
    """
    person = GeminiCli(tmp_path)
    assert "successfully validated" in person.run("extensions", "validate", person.extension)
    person.install()
    read, _ = person.asked()
    assert 1 == read.count("Before you answer what was decided")
    assert "memory (from memory)" in person.run("mcp", "list", GEMINI_CLI_TRUST_WORKSPACE="true")
    read, _ = person.asked("/memory:inbox")
    assert "Never accept, edit or decline a suggestion yourself" in read


def test_the_extension_of_gemini_cli_can_be_linked(tmp_path: Path) -> None:
    """Then it is read from the folder, and follows an update."""
    person = GeminiCli(tmp_path)
    person.install("link")
    assert str(person.extension) in person.run("extensions", "list")


def test_the_extension_of_gemini_cli_does_nothing_twice(tmp_path: Path) -> None:
    """Where `memory agents connect` has connected the client already: the hooks are silent, and there is one server."""
    person = GeminiCli(tmp_path)
    assert 0 == person.memory("agents", "connect", "gemini-cli", "--apply", "--yes").code
    person.install()
    assert 1 == person.run("mcp", "list", GEMINI_CLI_TRUST_WORKSPACE="true").count("Connected")
    person.memory("agents", "connect", "gemini-cli", "--remove", "--yes")
    assert (
        "the extension memory for this workspace already"
        in person.memory("agents", "connect", "gemini-cli", "--apply").err
    )
