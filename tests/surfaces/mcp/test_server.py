"""`memory mcp`: a real client of the protocol, against the server of the command in this process."""

import json
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from anyio.from_thread import start_blocking_portal
from mcp import ClientSession
from mcp.types import CallToolResult

from pipeline.language.tokens import count_tokens
from pipeline.reports.compact_hits import BUDGET
from schemas.fact import FactKind
from tests.support.builders.facts import stated
from tests.support.processes.command_line import SECONDS
from tests.support.workspaces.agent_talk import FIRST_DAY, Served, Shared, new_served, text_of
from tests.support.workspaces.retained import retain

DESCRIBED = 1050
"""Tokens of what an agent has in its context for the tools, whether it calls them or not."""


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    """A workspace of 25 days with a server that has shaken hands."""
    made = new_served(tmp_path_factory.mktemp("shared"))
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(made.session()) as client,
    ):
        yield Shared(made.root, made.home, portal=portal, client=client)


@pytest.fixture
def served(tmp_path: Path) -> Served:
    """A workspace of 25 days, not indexed yet, and an empty home."""
    return new_served(tmp_path)


READING = ("memory_search", "search_memory", "memory_get", "memory_wake")
"""The tools of every agent that read the memory."""


def test_the_tools_say_whether_they_only_read_and_what_they_return(shared: Shared) -> None:
    """Each with its arguments described, in few tokens, and with the hints by which an agent need not ask."""

    async def talk(client: ClientSession) -> None:
        listed = await client.list_tools()
        tools = {tool.name: tool for tool in listed.tools}
        assert {*READING, "store_memory", "retrieve_memory"} == set(tools)
        assert count_tokens(listed.model_dump_json(by_alias=True, exclude_none=True)) < DESCRIBED
        for tool in tools.values():
            hints = tool.annotations
            assert hints is not None
            reads = tool.name != "store_memory"  # of a tool that reads the protocol asks for no more
            assert (reads, *((None, None) if reads else (False, True)), False) == (
                hints.read_only_hint,
                hints.destructive_hint,
                hints.idempotent_hint,
                hints.open_world_hint,
            )
            assert tool.title
            assert tool.description
            assert tool.output_schema is None
            assert all(argument["description"] for argument in tool.input_schema["properties"].values())
        assert ["query"] == tools["memory_search"].input_schema["required"]

    shared.talk(talk)


def test_a_search_gives_what_the_command_line_gives(shared: Shared) -> None:
    """The text is the answer of `memory search --budget`, and nothing beside it says the same again."""

    async def talk(client: ClientSession) -> None:
        for query in ("ledger of boat 17", "ile wynosi zaliczka za lodke 23?", "船5的钥匙在哪里"):
            words = ("search", "--budget", BUDGET, "--k", 3, "--workspace", shared.root, "--", query)
            (expected,) = shared.memory(*words, **shared.variables).records
            result = await client.call_tool("memory_search", {"query": query, "k": 3})
            assert not result.is_error
            assert result.structured_content is None
            assert expected == json.loads(text_of(result))
            assert 3 == len(expected["hits"])

    shared.talk(talk)


def test_what_a_search_names_can_be_got(shared: Shared) -> None:
    """`memory_get` gives the lines of a hit, and what is known of them."""

    async def talk(client: ClientSession) -> None:
        result = await client.call_tool("memory_search", {"query": "ledger of boat 17", "tier": "warm", "k": 1})
        hit = json.loads(text_of(result))["hits"][0]
        place = hit["at"]
        got = json.loads(text_of(await client.call_tool("memory_get", {"place": place})))
        assert (place, hit["text"], hit["date"]) == (got["at"], got["text"], got["date"])
        (expected,) = shared.memory(
            "show", "lines", place, "--json", "--workspace", shared.root, **shared.variables
        ).records
        assert {name: expected[name] for name in ("text", "date", "kind", "trust")} == {
            name: got[name] for name in ("text", "date", "kind", "trust")
        }

    shared.talk(talk)


def test_days_limit_a_search(shared: Shared) -> None:
    """`since`, `until` and `as_of` are days."""

    async def talk(client: ClientSession) -> None:
        for limits in (
            {"since": "2026-01-05", "until": "2026-01-07"},
            {"as_of": "2026-01-07", "since": "2026-01-05"},
            {"since": "2026-W02", "until": "2026-01-07"},
        ):
            asked = {"query": "ledger of the boats", "k": 50, "budget": 50_000, "fields": ["date"], **limits}
            days = {hit["date"] for hit in json.loads(text_of(await client.call_tool("memory_search", asked)))["hits"]}
            assert {"2026-01-05", "2026-01-06", "2026-01-07"} == days

    shared.talk(talk)


def test_a_search_is_narrowed_to_an_entity_and_to_kinds(served: Served) -> None:
    """One tool for facts and for all else."""
    retain(served.root, stated("Prefers tea.", "Anna", kind=FactKind.OPINION), stated("Prefers boats.", "Zoe"))

    async def narrowed(client: ClientSession, **limits: object) -> list[str]:
        asked = {"query": "who prefers what", "fields": ["entities"], **limits}
        hits = json.loads(text_of(await client.call_tool("memory_search", asked)))["hits"]
        return [name for hit in hits for name in hit.get("entities", ())]

    async def talk(client: ClientSession) -> None:
        assert ["Anna"] == await narrowed(client, kind=["opinion"])
        assert ["Zoe"] == await narrowed(client, entity="zoe", kind=["opinion", "world"])
        assert [] == await narrowed(client, entity="nobody")

    served.talk(talk)


WRONG: tuple[tuple[str, dict[str, object], str], ...] = (
    ("memory_get", {"place": "nowhere"}, "nowhere is no file that can be shown, nor the id of an entry or a fact."),
    ("memory_get", {"place": "memory.toml"}, "memory.toml is not one of the texts that are indexed."),
    ("memory_get", {"place": "../home/x.md"}, "../home/x.md is not a path inside the workspace."),
    ("memory_get", {}, "place: Field required."),
    ("memory_search", {"query": ""}, "query is empty: say what to look for"),
    ("memory_search", {"query": " \n"}, "query is empty: say what to look for"),
    ("memory_search", {"query": "x " * 2_001}, "query is too long: at most 4,000 characters are taken."),
    ("memory_search", {"query": "x", "fields": ["words"] * 1_000}, "fields is too long: at most 4,000 characters"),
    ("retrieve_memory", {"memory_key": "x", "query": "y" * 4_001}, "query is too long: at most 4,000 characters"),
    ("memory_get", {"place": "x" * 100_000}, "place is too long: at most 4,000 characters are taken."),
    ("memory_search", {"query": "x", "fields": ["words"]}, "no hit has words; known are at, text,"),
    ("memory_search", {"query": "x", "limit": 3}, "memory_search has no limit; known are query, k, tier,"),
    ("memory_search", {"query": "x", "budget": 0}, "budget: Input should be greater than or equal to 1."),
    ("memory_search", {"query": "x", "k": 0}, "k: Input should be greater than or equal to 1."),
    (
        "memory_search",
        {"query": "x", "tier": "hot"},
        "tier: Input should be 'auto', 'warm', 'cold', 'all', 'detail' or 'said'.",
    ),
    ("memory_search", {"query": "x", "kind": ["json"]}, "nothing in the memory is of the kind 'json'; known"),
    ("memory_search", {"query": "x", "kind": ["rule"], "tier": "detail"}, "'rule' is for a search without tier"),
    ("memory_search", {"query": "x", "since": "soon"}, "since: 'soon' is not a day such as 2026-02-20"),
)


def test_an_error_is_a_sentence(shared: Shared) -> None:
    """It names the tool and what to do; no trace, no address of a validator; and the server goes on."""

    async def talk(client: ClientSession) -> None:
        for tool, arguments, sentence in WRONG:
            result = await client.call_tool(tool, arguments)
            text = text_of(result)
            assert result.is_error
            assert sentence in text
            assert tool in text
            assert not any(name in text for name in ("Traceback", "http", "\n", "pydantic"))
        assert not (await client.call_tool("memory_get", {"place": f"memory/{FIRST_DAY}.md#L1"})).is_error

    shared.talk(talk)


def test_the_handshake_does_not_look_at_the_index_or_the_settings(served: Served) -> None:
    """With both damaged the tools are listed; a call says what is wrong, and a damaged index is made anew."""
    assert served.memory("doctor", "reindex", "--workspace", served.root, **served.variables).code == 0
    for file in (served.root / ".memory" / "index").rglob("*"):
        if file.is_file() and file.suffix != ".lock":
            file.write_bytes(b"damaged")
    (served.root / "memory.toml").write_text("timezone = 3\n")

    async def talk(client: ClientSession) -> None:
        assert 6 == len((await client.list_tools()).tools)
        settings = await client.call_tool("memory_search", {"query": "boat"})
        assert (True, True) == (settings.is_error, "timezone: write a text in quotes" in text_of(settings))
        (served.root / "memory.toml").write_text('timezone = "UTC"\n')
        result = await client.call_tool("memory_search", {"query": "boat"})
        assert not result.is_error, text_of(result)
        assert "The index was built anew: the old one was damaged." in text_of(result)

    served.talk(talk)


def test_calls_of_one_session_may_overlap(served: Served) -> None:
    """An agent may ask several things at once; the index is opened once."""

    async def talk(client: ClientSession) -> None:
        results: dict[int, CallToolResult] = {}

        async def ask(number: int) -> None:
            results[number] = await client.call_tool("memory_search", {"query": f"ledger of boat {number}", "k": 1})

        async with anyio.create_task_group() as group:
            for number in range(8):
                group.start_soon(ask, number)
        assert {f"boat {number} " in text_of(result) for number, result in results.items()} == {True}

    served.talk(talk)


def test_a_file_that_changes_is_retrieved_by_its_new_words(served: Served) -> None:
    """A server that runs for days is not behind: it looks at the files again."""
    page = served.root / "memory" / "2026-01-01.md"

    async def talk(client: ClientSession) -> None:
        await client.call_tool("memory_search", {"query": "zeppelin"})
        page.write_text("# 2026-01-01\n\n- The zeppelin is moored at the mill.\n", encoding="utf-8")
        with anyio.fail_after(SECONDS):
            while True:
                result = await client.call_tool("memory_search", {"query": "zeppelin", "k": 1})
                if "moored" in text_of(result):
                    break

    served.talk(talk)


def test_no_workspace_is_reported_on_stderr(served: Served) -> None:
    """An agent's log shows why the server does not start; nothing is on stdout."""
    said = served.memory("mcp", "--workspace", served.home)
    assert (2, "") == (said.code, said.out)
    assert "There is no memory.toml in" in said.err
