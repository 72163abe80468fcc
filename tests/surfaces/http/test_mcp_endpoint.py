"""A real client of the protocol over streamable HTTP."""

from collections.abc import Awaitable, Callable

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, TextContent

from tests.support.tables import table
from tests.support.workspaces.served_demo import ServedWorkspace


def with_client(
    workspace: ServedWorkspace, token: str, work: Callable[[Client], Awaitable[None]], query: str = ""
) -> None:
    """Let a client work that calls with a token, and maybe a query in the address."""

    async def run() -> None:
        headers = {"Authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(f"{workspace.address}/mcp{query}", http_client=http)) as client,
        ):
            await work(client)

    anyio.run(run)


def text_of(result: CallToolResult) -> str:
    """The text that an agent gets."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def test_a_person_searches(reading: ServedWorkspace) -> None:
    """The tools that read, and no others; an error is a sentence."""

    async def work(client: Client) -> None:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert {"memory_search", "memory_get", "memory_wake"} <= tools
        assert "memory_know" not in tools
        hits = text_of(await client.call_tool("memory_search", {"query": "guest names"}))
        assert '"hits"' in hits
        wrong = await client.call_tool("memory_get", {"place": "nowhere.md"})
        assert (True, True) == (wrong.is_error, "nowhere.md" in text_of(wrong))

    with_client(reading, reading.person, work)


def test_an_agent_has_its_own_tools(changing: ServedWorkspace) -> None:
    """By its token: what it knows, and requests in its own name."""

    async def work(client: Client) -> None:
        assert "memory_wake" in {tool.name for tool in (await client.list_tools()).tools}
        asked = text_of(await client.call_tool("memory_remember", {"text": "The pool is closed on Mondays."}))
        assert "main" in asked or "Suggested" in asked

    with_client(changing, changing.agent, work)


def test_a_stranger_gets_nothing(reading: ServedWorkspace) -> None:
    """Neither without a token nor with one that nobody has; the client is told 401."""
    for token in ("", "Bearer mem_guess"):
        answer = reading.ask("/mcp", "POST", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, authorization=token)
        assert (401, "Bearer") == (answer.status, answer.headers["www-authenticate"])


@table("method", ["GET", "DELETE", "PUT"])
def test_no_stream_is_opened(reading: ServedWorkspace, method: str) -> None:
    """There are no sessions, and so nothing that a stream could bring: it would keep a connection for ever."""
    answer = reading.ask("/mcp", method, accept="text/event-stream")
    assert (405, "POST", "application/problem+json") == (
        answer.status,
        answer.headers["allow"],
        answer.headers["content-type"],
    )


def test_a_text_of_a_user_is_for_who_asks_as_that_user(changing: ServedWorkspace) -> None:
    """The address of the server says as whom; another user, or nobody, learns nothing of it."""
    keys = list[str]()
    large = "\n".join(f"step {number} of the walrus" for number in range(400))

    async def store(client: Client) -> None:
        kept = text_of(await client.call_tool("store_memory", {"content": large, "description": "the build"}))
        keys.append(kept.removeprefix("[MemoryRef: ").partition(" - ")[0])

    async def read(client: Client) -> None:
        read = text_of(await client.call_tool("retrieve_memory", {"memory_key": keys[0]}))
        hits = text_of(await client.call_tool("memory_search", {"query": "walrus", "tier": "detail"}))
        seen.append(("step 3 of" in read, keys[0] in hits))

    with_client(changing, changing.agent, store, "?user_id=alice")
    seen = list[tuple[bool, bool]]()
    for query in ("?user_id=alice", "?user_id=bob", ""):
        with_client(changing, changing.agent, read, query)
    with_client(changing, changing.person, read, "")
    assert [(True, True), (False, False), (False, False), (True, True)] == seen
