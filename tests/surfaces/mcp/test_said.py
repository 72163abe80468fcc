"""What was said, over MCP: an agent without a name is shown what was said to it, by what its program calls itself."""

import json

import pytest
from mcp import ClientSession

from pipeline.integration.edits import IntegrationRecord
from pipeline.integration.records import RecordFolder
from tests.support.builders.claude_lines import ClaudeLines
from tests.support.builders.codex_lines import CodexLines
from tests.support.tables import table
from tests.support.workspaces.agent_talk import Served, new_served, text_of


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Served:
    """A workspace with what was said to Claude Code and to Codex in one project."""
    folder = tmp_path_factory.mktemp("said")
    made = new_served(folder)
    made.folder = made.home / "code" / "shop"
    made.folder.mkdir(parents=True)
    claude, codex = ClaudeLines(cwd=str(made.folder)), CodexLines("c-1", cwd=str(made.folder))
    claude.user("The boat called grebe is green.")
    codex.user("The boat called grebe is blue.")
    claude.write(folder / "claude_code" / "-p" / "one.jsonl")
    codex.write(folder / "codex" / "rollout-one.jsonl")
    sources = [f'[[sources]]\nkind = "{kind}"\npath = "../{kind}"\n' for kind in ("claude_code", "codex")]
    (made.root / "memory.toml").write_text("".join(['timezone = "UTC"\n', *sources]))
    assert 0 == made.memory("doctor", "reindex", "--workspace", made.root, **made.variables).code
    return made


@table(
    ("program", "connected", "shown"),
    [
        ("codex-mcp-client", ("claude-code", "codex"), ["blue"]),
        ("claude-code", ("claude-code", "codex"), ["green"]),
        ("codex-mcp-client", ("claude-code",), []),
        ("some-editor", ("claude-code",), ["green"]),
        ("some-editor", ("claude-code", "codex"), []),
        ("codex-mcp-client", (), []),
    ],
)
def test_an_agent_is_known_by_its_program(
    served: Served, program: str, connected: tuple[str, ...], shown: list[str]
) -> None:
    """A known name chooses among those that are connected; without one it is the only one, and of several none."""
    folder = RecordFolder(served.root)
    folder.write(IntegrationRecord(agents={name: {} for name in connected}), folder.read_with_content()[1])
    served.program = program

    async def talk(client: ClientSession) -> None:
        answer = json.loads(text_of(await client.call_tool("memory_search", {"query": "boat grebe", "tier": "said"})))
        text = json.dumps(answer.get("said", []))
        assert shown == [word for word in ("green", "blue") if word in text]

    served.talk(talk)
