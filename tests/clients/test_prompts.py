"""Before a prompt: the real client's hook gives the model what the memory says, and it never comes back as words."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes.command_line import CommandLine, Said, bare_environment
from tests.support.processes.serving_process import serving_process
from tests.support.servers.provider_server import ProviderServer

pytestmark = pytest.mark.clients

_PROGRAMS = Path(__file__).parents[2] / ".clients/node_modules/.bin"
NOTE = "The reed cutter comes on the second Tuesday of each month, and is paid in cash."
ASKED = "when does the reed cutter come?"
TAG = "recalled-memories"
PATIENT = "import sys; from pipeline.surfaces.hook.main import main; sys.exit(main(60.0))"


class Client:
    """A client with a HOME of its own, connected with a workspace that has one note."""

    kind: str
    program: str
    source: str
    sessions: str
    settings: str
    variables: tuple[str, str]

    def __init__(self, folder: Path) -> None:
        """Skip where the client is not installed."""
        self.file = _PROGRAMS / self.program
        if not os.access(self.file, os.X_OK):
            pytest.skip(f"{self.program} is not installed; `make clients` installs it")
        self.home, self.root, self.work = folder / "home", folder / "w", folder / "shop"
        for path in (self.home, self.work, self.root / "memory" / "projects"):
            path.mkdir(parents=True)
        self.set_up()
        read = f'kind = "{self.source}"\npath = "{self.home / self.sessions}"\nheadless = true\n'
        (self.root / "memory.toml").write_text(f'timezone = "UTC"\n[embedder]\nkind = "none"\n[[sources]]\n{read}')
        (self.root / "memory" / "projects" / "herons.md").write_text(f"# Herons\n\n{NOTE}\n")
        for words in (("integrate", self.kind, "--apply", "--yes"), ("reindex",)):
            said = self.memory(*words)
            assert 0 == said.code, said.err
        self._be_patient(folder / "memory-hook")

    def set_up(self) -> None:
        """Make the settings with which it asks nobody."""
        raise NotImplementedError

    def _be_patient(self, hook: Path) -> None:
        """Let its hooks wait as long as a busy machine may take."""
        hook.write_text(f"#!/bin/sh\nexec {sys.executable} -c '{PATIENT}' \"$@\"\n")
        hook.chmod(0o755)
        file = self.home / self.settings
        settings = json.loads(file.read_text())
        for ours in (one for event in settings["hooks"].values() for group in event for one in group["hooks"]):
            ours["command"] = ours["command"].replace(str(Path(sys.executable).with_name("memory-hook")), str(hook))
            ours["timeout"] *= 20
        assert str(hook) in json.dumps(settings)
        file.write_text(json.dumps(settings))

    def memory(self, *words: str) -> Said:
        """A command of ours, with the client's HOME."""
        return CommandLine(self.home)(*words, "--workspace", self.root)

    def talk(self, provider: ProviderServer, words: str) -> None:
        """A session of one prompt."""
        address, key = self.variables
        given = {address: provider.address, key: "none", "DISABLE_AUTOUPDATER": "1"}
        done = subprocess.run(
            [self.file, "-p", words],
            env=bare_environment(self.home, **given, GEMINI_CLI_TRUST_WORKSPACE="true"),
            cwd=self.work,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=600,
        )
        assert (0, b"fine\n") == (done.returncode, done.stdout), done.stderr


class ClaudeCode(Client):
    """Claude Code."""

    kind, program, source, sessions = "claude-code", "claude", "claude_code", ".claude/projects"
    settings = ".claude/settings.json"
    variables = ("ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY")

    def set_up(self) -> None:
        """Pass over its first questions."""
        (self.home / ".claude").mkdir()
        (self.home / ".claude.json").write_text('{"hasCompletedOnboarding": true}')


class GeminiCli(Client):
    """Gemini CLI."""

    kind, program, source, sessions = "gemini-cli", "gemini", "gemini_cli", ".gemini/tmp"
    settings = ".gemini/settings.json"
    variables = ("GOOGLE_GEMINI_BASE_URL", "GEMINI_API_KEY")

    def set_up(self) -> None:
        """Sign in by a key."""
        (self.home / ".gemini").mkdir()
        (self.home / self.settings).write_text(
            json.dumps({"security": {"auth": {"selectedType": "gemini-api-key"}}, "telemetry": {"enabled": False}})
        )


@pytest.mark.parametrize("client", [ClaudeCode, GeminiCli])
def test_the_model_reads_what_answers_the_prompt(client: type[Client], tmp_path: Path) -> None:
    """Beside the prompt, with its place; another prompt gets nothing; of both the owner's words alone are read."""
    connected = client(tmp_path)
    with ProviderServer(lambda _said: "fine") as provider, serving_process(connected.root, connected.home):
        connected.talk(provider, ASKED)
        reminded = [asked.words for asked in provider.asked if ASKED in asked.words]
        provider.asked.clear()
        connected.talk(provider, "go on")
        assert not any(TAG in asked.words for asked in provider.asked)
    assert reminded
    assert all(f"{NOTE} (note, memory/projects/herons.md#L3)" in words for words in reminded)
    sessions = connected.memory("show", "transcripts", "--json").records
    shown = [
        line["text"]
        for session in sessions
        for line in connected.memory("show", "transcript", session["id"], "--json").records
        if line["origin"] == "owner"
    ]
    assert sorted([ASKED, "go on"]) == sorted(shown)


@pytest.mark.parametrize("client", [ClaudeCode, GeminiCli])
def test_without_a_service_the_client_goes_on(client: type[Client], tmp_path: Path) -> None:
    """Its prompt stays as it is."""
    connected = client(tmp_path)
    with ProviderServer(lambda _said: "fine") as provider:
        connected.talk(provider, ASKED)
        assert not any(TAG in asked.words for asked in provider.asked)
