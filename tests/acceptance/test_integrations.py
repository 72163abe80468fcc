"""Agents that were connected: what they read in their configuration starts, in the way in which they start it."""

import json
import shutil
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from pipeline.service.socket.http_request import NOTICE, request
from tests.support.processes.command_line import SECONDS, bare_environment
from tests.support.processes.serving_process import ADDRESS
from tests.support.workspaces.agent_talk import Served, new_served

_WAKE = """#!/bin/sh
printf '%s|' "$@"
"""
"""Stands in for `memory wake`: prints its arguments."""
_GATEWAY = """
import {{ pathToFileURL }} from "node:url";
const {{ default: handler }} = await import(pathToFileURL({file}).href);
const event = {{
  type: "agent", action: "bootstrap", sessionKey: "agent:{agent}:main", timestamp: new Date(), messages: [],
  context: {{ workspaceDir: {folder}, agentId: "{agent}", bootstrapFiles: [{{ name: "AGENTS.md" }}] }},
}};
await handler(event);
console.log(JSON.stringify(event.context.bootstrapFiles));
"""
"""What OpenClaw does with a hook when a session begins: it imports the handler and hands it an event."""
_ENDING = """
import {{ pathToFileURL }} from "node:url";
const {{ default: handler }} = await import(pathToFileURL({file}).href);
await handler({{ type: "command", action: "new", sessionKey: "agent:dexter:main", timestamp: new Date() }});
"""
"""The same when a session ends."""


@pytest.fixture
def served(tmp_path: Path) -> Served:
    """A workspace of 25 days in a folder that a shell and JSON would take apart, and an empty home."""
    folder = tmp_path / 'it\'s "here" 记忆'
    folder.mkdir()
    made = new_served(folder)
    with (made.root / "memory.toml").open("a") as file:
        file.write("[agents.dexter]\n")
    return made


def apply(served: Served, kind: str, *words: str) -> None:
    """Connect an agent."""
    said = served.memory("agents", "connect", kind, "--apply", "--yes", "--workspace", served.root, *words)
    assert 0 == said.code, said.err


def ask(served: Served, server: Mapping[str, object]) -> str:
    """Start the server from exactly these words, as an agent does, and search."""
    args = server["args"]
    assert isinstance(args, list)
    parameters = StdioServerParameters(
        command=str(server["command"]),
        args=args,
        env=bare_environment(served.home, **served.variables),
        cwd=served.home,
    )
    texts = list[str]()

    async def talk() -> None:
        with anyio.fail_after(SECONDS):
            async with Client(stdio_client(parameters)) as client:
                result = await client.call_tool("memory_search", {"query": "ledger of boat 17", "k": 1})
                texts.append(result.model_dump_json())

    anyio.run(talk)
    return texts[0]


def wake_program(folder: Path) -> Path:
    """A program that prints how it was called."""
    file = folder / "memory"
    file.write_text(_WAKE)
    file.chmod(0o755)
    return file


def with_program(file: Path, program: Path) -> None:
    """Put another program in place of this installation's, as the record has it."""
    ours = str(Path(sys.executable).with_name("memory").absolute())
    text = file.read_text()
    assert ours in text
    file.write_text(text.replace(ours, str(program)))


def test_claude_code_starts_the_server_that_it_reads(served: Served) -> None:
    """`mcpServers` of `~/.claude.json`, of the type stdio: command and args, without a shell."""
    (served.home / ".claude.json").write_text('{"numStartups": 3, "mcpServers": {}}')
    apply(served, "claude-code")
    read = json.loads((served.home / ".claude.json").read_text())
    assert ("stdio", 3) == (read["mcpServers"]["memory"]["type"], read["numStartups"])
    assert "boat 17" in ask(served, read["mcpServers"]["memory"])


def test_claude_code_runs_the_hook_that_it_reads(served: Served) -> None:
    """`SessionStart` of `settings.json`: a command for the shell, with JSON on its input; its output is the context."""
    apply(served, "claude-code", "--agent", "dexter")
    identity = served.root / "agents" / "dexter" / "identity.md"
    identity.parent.mkdir(parents=True)
    identity.write_text("I am Dexter.\n")
    (start,) = json.loads((served.home / ".claude" / "settings.json").read_text())["hooks"]["SessionStart"]
    (hook,) = start["hooks"]
    assert ({"startup", "resume", "clear", "compact"}, "command") == ({*start["matcher"].split("|")}, hook["type"])
    said = subprocess.run(
        ["/bin/sh", "-c", hook["command"]],
        input=json.dumps({"hook_event_name": "SessionStart", "source": "startup"}),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "I am Dexter.\n" == said.stdout


@pytest.mark.parametrize(
    ("kind", "file", "events"),
    [
        ("claude-code", ".claude/settings.json", ("SessionEnd", "PreCompact")),
        ("gemini-cli", ".gemini/settings.json", ("SessionEnd", "PreCompress")),
    ],
)
def test_the_end_of_a_session_reaches_the_service(
    served: Served, kind: str, file: str, events: tuple[str, ...]
) -> None:
    """By a command for the shell in a list of each event, for agents with a memory of their own and without."""
    apply(served, kind)
    hooks = json.loads((served.home / file).read_text())["hooks"]
    (served.root / ADDRESS).parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as short, socket.socket(socket.AF_UNIX) as listener:  # the system takes short paths only
        (served.root / ADDRESS).write_text(f"{short}/s\n")
        listener.bind(f"{short}/s")
        listener.listen()
        for event in events:
            [group] = hooks[event]
            [hook] = group["hooks"]
            said = subprocess.run(["/bin/sh", "-c", hook["command"]], input=b"{}", capture_output=True, check=True)
            line, _ = listener.accept()
            with line, line.makefile("rb") as lines:
                assert (b"", b"", request(NOTICE)) == (said.stdout, said.stderr, lines.read(len(request(NOTICE))))


@pytest.mark.skipif(not shutil.which("node"), reason="needs node, in which OpenClaw runs")
def test_openclaw_tells_the_service_when_a_session_ends(served: Served, tmp_path: Path) -> None:
    """The handler runs the hook at the events that its page names, and does not wait for it."""
    apply(served, "openclaw", "--agent", "dexter")
    folder = served.home / ".openclaw" / "hooks" / "memory-notice"
    assert '"events": ["command:new", "command:reset", "session:compact:before"]' in (folder / "HOOK.md").read_text()
    out = tmp_path / "out"
    program = tmp_path / "memory-hook"
    program.write_text(f'#!/bin/sh\nprintf "%s|" "$@" > "{out}"\n')
    program.chmod(0o755)
    handler = (folder / "handler.js").read_text()
    ours = str(Path(sys.executable).with_name("memory-hook").absolute())
    assert ours in handler
    module = folder / "handler.mjs"
    module.write_text(handler.replace(ours, str(program)))
    code = _ENDING.format(file=json.dumps(str(module)))
    subprocess.run(["node", "--input-type=module", "-e", code], capture_output=True, check=True)
    assert f"notice|{served.root}|" == out.read_text()


@pytest.mark.skipif(not shutil.which("node"), reason="needs node, in which OpenClaw runs")
def test_openclaw_starts_the_server_that_it_reads(served: Served) -> None:
    """`mcp.servers` of a JSON5 file that has comments; they are still there."""
    file = served.home / ".openclaw" / "openclaw.json"
    file.parent.mkdir()
    file.write_text("{\n  // mine\n  agents: { defaults: { workspace: '~/desk' } }, // here\n}\n")
    apply(served, "openclaw")
    text = file.read_text()
    assert text.startswith("{\n  // mine\n  agents: { defaults: { workspace: '~/desk' } }, // here\n")
    assert "memory_search" in (served.home / "desk" / "AGENTS.md").read_text()
    # Each text that is JSON5 without escapes of its own is an expression of JavaScript.
    words = ["node", "-e", f"console.log(JSON.stringify(({text}).mcp.servers.memory))"]
    server = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    assert "boat 17" in ask(served, server)


@pytest.mark.skipif(not shutil.which("node"), reason="needs node, in which OpenClaw runs")
def test_openclaw_runs_the_hook_that_it_reads(served: Served, tmp_path: Path) -> None:
    """A folder with `HOOK.md` and `handler.js`, enabled in the settings, shows its agent a file more, and no other."""
    apply(served, "openclaw", "--agent", "dexter")
    folder = served.home / ".openclaw" / "hooks" / "memory-wake"
    page = (folder / "HOOK.md").read_text()
    assert "\nname: memory-wake\n" in page
    assert '"events": ["agent:bootstrap"]' in page
    settings = json.loads((served.home / ".openclaw" / "openclaw.json").read_text())
    entries = {"memory-wake": {"enabled": True}, "memory-notice": {"enabled": True}}
    assert {"enabled": True, "entries": entries} == settings["hooks"]["internal"]
    with_program(folder / "handler.js", wake_program(tmp_path))
    module = folder / "handler.mjs"  # node's name for a module outside a package; OpenClaw imports as it is
    (folder / "handler.js").rename(module)
    for agent, more in (("dexter", [f"wake|dexter|--with|memory|--workspace|{served.root}|"]), ("main", [])):
        code = _GATEWAY.format(file=json.dumps(str(module)), folder=json.dumps(str(tmp_path)), agent=agent)
        words = ["node", "--input-type=module", "-e", code]
        files = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
        assert [None, *more] == [file.get("content") for file in files]
        assert all(file["name"] == "MEMORY.md" and file["path"].startswith(f"{tmp_path}/") for file in files[1:])
