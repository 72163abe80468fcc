"""`memory mcp` beside a service: many servers hold one index in memory, and none opens the ledger."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession

from tests.support.processes.serving_process import serving_process
from tests.support.workspaces.agent_memory import remember
from tests.support.workspaces.agent_talk import WORDS_ALONE, ServedByProcess, new_served_by_process, text_of

BAKERY = "Kuba runs a bakery in Gdansk"
pytestmark = pytest.mark.skipif(
    not Path("/proc/self/maps").exists(), reason="only Linux tells what a process has loaded"
)


@pytest.fixture
def served(tmp_path: Path) -> ServedByProcess:
    """A workspace of 25 days, not indexed yet, and an empty home; a server writes its number into `pid` there."""
    made = new_served_by_process(tmp_path)
    made.before = (f"echo $$ >{shlex.quote(str(made.home / 'pid'))}",)
    return made


@pytest.fixture
def loaded(served: ServedByProcess) -> Callable[[str], bool]:
    """Whether the server has a library in its memory."""

    def _loaded(library: str) -> bool:
        number = int((served.home / "pid").read_text())
        return library in Path(f"/proc/{number}/maps").read_text(encoding="utf-8")

    return _loaded


def test_with_a_service_a_server_holds_no_index(served: ServedByProcess, loaded: Callable[[str], bool]) -> None:
    """It tells what the service tells; when that ends, it looks itself, and tells the same."""
    asked = {"query": "船5的钥匙在哪里", "k": 3, "since": "2026-01-02"}

    async def answered(client: ClientSession, tool: str, **arguments: object) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(text_of(await client.call_tool(tool, arguments)))
        return answer

    async def talk(client: ClientSession) -> None:
        with serving_process(served.root, served.home, **WORDS_ALONE):
            result = await answered(client, "memory_search", **asked)
            lines = await answered(client, "memory_get", place="memory/2026-01-03.md#L5")
            nowhere = await client.call_tool("memory_get", {"place": "nowhere"})
            assert not loaded("tantivy")
        assert result == await answered(client, "memory_search", **asked)
        assert loaded("tantivy")
        assert ("memory/2026-01-06.md", True) == (result["hits"][0]["at"].partition("#")[0], nowhere.is_error)
        assert "- We keep the ledger of boat 2 in folder 002, because the harbour office asks for it." == lines["text"]
        assert "nowhere is no file that can be shown" in text_of(nowhere)

    served.talk(talk)


def test_with_a_service_a_server_opens_no_ledger(served: ServedByProcess, loaded: Callable[[str], bool]) -> None:
    """It tells what the service tells; when that ends, it looks itself, and tells the same."""
    served.agent = "jaskier"
    (served.root / "memory.toml").write_text(
        'timezone = "UTC"\n[agents.jaskier]\nautonomy = 3\nmay_read = ["dexter"]\n[agents.dexter]\n[agents.zoe]\n'
    )
    (served.root / "agents" / "jaskier").mkdir(parents=True)
    (served.root / "agents" / "jaskier" / "identity.md").write_text("I am Jaskier.\n")
    remember(served.root, BAKERY)

    async def answers(client: ClientSession) -> list[str]:
        wakes = [await client.call_tool("memory_wake", more) for more in ({}, {"target": "zoe"}, {"budget": 9})]
        return [text_of(result) for result in [*wakes, await client.call_tool("memory_know", {})]]

    async def talk(client: ClientSession) -> None:
        with serving_process(served.root, served.home, **WORDS_ALONE):
            by_service = await answers(client)
            assert not loaded("_sqlite3")
        assert by_service == await answers(client)
        assert loaded("_sqlite3")
        assert (True, True) == (BAKERY in by_service[0], "left out: 1 lines of the brain" in by_service[2])

    served.talk(talk)
