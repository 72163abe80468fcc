"""`memory mcp` beside a service: many servers hold one index in memory."""

import json
import shlex
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import TextContent

from tests.support.processes.command_line import SECONDS, CommandLine, bare_environment
from tests.support.processes.serving_process import serving_process

WORDS_ALONE = {"MEMORY_EMBEDDER__KIND": "none"}
NOTE = "# {day}\n\n- The ledger of boat {number} is kept in folder {number:03}.\n- 船{number}的钥匙在码头办公室。\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace of five days, and beside it an empty home."""
    root = tmp_path / "w"
    (root / "memory").mkdir(parents=True)
    (tmp_path / "home").mkdir()
    (root / "memory.toml").write_text('timezone = "UTC"\n')
    for number in range(1, 6):
        day = f"2026-01-{number:02}"
        (root / "memory" / f"{day}.md").write_text(NOTE.format(day=day, number=number), encoding="utf-8")
    return root


def loaded(pid_file: Path) -> bool:
    """Whether a server holds the engine in its memory."""
    return "tantivy" in Path(f"/proc/{int(pid_file.read_text())}/maps").read_text(encoding="utf-8")


async def tool_answer(client: ClientSession, tool: str, **arguments: object) -> dict[str, Any]:
    """What a tool gives."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error
    (content,) = result.content
    assert isinstance(content, TextContent)
    answer: dict[str, Any] = json.loads(content.text)
    return answer


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="only Linux tells what a process has loaded")
def test_with_a_service_a_server_holds_no_index(root: Path) -> None:
    """It tells what the service tells; when that ends, it looks itself, and tells the same."""
    home = root.parent / "home"
    start = f"echo $$ >{shlex.quote(str(home / 'pid'))}; exec {shlex.join(CommandLine(home).words('mcp'))}"
    environment = bare_environment(home, MEMORY_WORKSPACE=str(root), **WORDS_ALONE)
    server = StdioServerParameters(command="sh", args=["-c", start], env=environment, cwd=home)
    asked = {"query": "船5的钥匙在哪里", "k": 3, "since": "2026-01-02"}

    async def talk() -> None:
        with anyio.fail_after(SECONDS):
            async with stdio_client(server) as streams, ClientSession(*streams) as client:
                await client.initialize()
                with serving_process(root, home, **WORDS_ALONE):
                    result = await tool_answer(client, "memory_search", **asked)
                    lines = await tool_answer(client, "memory_get", place="memory/2026-01-03.md#L3")
                    nowhere = await client.call_tool("memory_get", {"place": "nowhere"})
                    assert not loaded(home / "pid")
                assert result == await tool_answer(client, "memory_search", **asked)
                assert loaded(home / "pid")
        assert ("memory/2026-01-05.md", True) == (result["hits"][0]["at"].partition("#")[0], nowhere.is_error)
        assert "- The ledger of boat 3 is kept in folder 003." == lines["text"]
        assert "nowhere is no file that can be shown" in str(nowhere.content)

    anyio.run(talk)
