"""The tools for stored texts: a real client of the protocol, against the server in this process."""

import json
from pathlib import Path

import pytest
from mcp import ClientSession

from pipeline.language.tokens import count_tokens
from tests.support.tables import table
from tests.support.workspaces.agent_talk import Served, new_served, text_of

TEXT = "\n".join(f"step {number} of the build" for number in range(900)) + "\nnpm error code ERESOLVE\n"
AGENTS = 'timezone = "UTC"\n[agents.jaskier]\n[agents.zoe]\n'


@pytest.fixture
def served(tmp_path: Path) -> Served:
    """A workspace with two agents; `jaskier` is served."""
    made = new_served(tmp_path)
    made.agent = "jaskier"
    (made.root / "memory.toml").write_text(AGENTS)
    return made


async def store(client: ClientSession, text: str, about: str) -> str:
    """Store a text; its key."""
    result = await client.call_tool("store_memory", {"content": text, "description": about, "type": "log"})
    assert not result.is_error, text_of(result)
    return text_of(result).removeprefix("[MemoryRef: ").partition(" - ")[0]


def test_what_is_stored_is_retrieved_in_parts(served: Served) -> None:
    """By lines, by words and by pages, which together are the whole; within the budget."""

    async def talk(client: ClientSession) -> None:
        key = await store(client, TEXT, "the build")
        assert key.startswith("log_the-build_")

        async def part(**wanted: object) -> str:
            return text_of(await client.call_tool("retrieve_memory", {"memory_key": key, **wanted}))

        assert f"{key}: lines 4-5 of 901\nstep 3 of the build\nstep 4 of the build" == await part(lines="4-5")
        assert "901: npm error code ERESOLVE" in await part(query="ERESOLVE")
        assert "Go on with page=2." in await part()
        for budget in (100, 333, 1500):
            assert count_tokens(await part(budget=budget)) <= budget + 30
        assert "There are no lines 5000: the text has 901." in await part(lines="5000")
        assert "There is no page 99: " in await part(page=99)
        within = await part(lines="4-6", query="step 5 ")
        assert within.startswith(f"{key}: 1 match, lines 4-6 of 901\n")
        for small in ("ok", ""):
            said = text_of(await client.call_tool("store_memory", {"content": small, "description": "x"}))
            assert said.startswith("It was not stored: ")

    served.talk(talk)


def test_a_search_reaches_stored_texts_when_it_is_asked_to(served: Served) -> None:
    """By `tier`, and by the other name of the tool; else they are not searched."""

    async def talk(client: ClientSession) -> None:
        key = await store(client, TEXT, "the build of npm")
        await store(client, TEXT.replace("ERESOLVE", "ENOENT"), "another one")
        answer = await client.call_tool("memory_search", {"query": "npm ERESOLVE", "tier": "detail"})
        first, *_ = json.loads(text_of(answer))["hits"]
        assert (True, True) == (first["at"].startswith(f"detail:{key}#L"), "ERESOLVE" in first["text"])
        place = text_of(await client.call_tool("memory_get", {"place": first["at"]}))
        assert "npm error code ERESOLVE" in place
        plain = await client.call_tool("search_memory", {"query": "npm ERESOLVE"})
        assert key not in text_of(plain)

    served.talk(talk)


@table("kind", ["command_output", "file_content", "user_preference"])
def test_a_session_is_searched_by_its_id(served: Served, kind: str) -> None:
    """By both names of the search; the types that other products name are taken, and the key as `id` too."""

    async def talk(client: ClientSession) -> None:
        stored = {"content": TEXT, "description": "the build", "type": kind, "thread_id": "s-7"}
        placeholder = text_of(await client.call_tool("store_memory", stored))
        key = placeholder.split()[1]
        for tool in ("search_memory", "memory_search"):
            answers = {
                thread: text_of(await client.call_tool(tool, {"query": "npm ERESOLVE", "thread_id": thread}))
                for thread in ("s-7", "s-8")
            }
            assert [True, False] == [key in text for text in answers.values()]
        assert "ERESOLVE" in text_of(await client.call_tool("retrieve_memory", {"id": key, "query": "ERESOLVE"}))

    served.talk(talk)


def test_an_agent_reads_its_own_alone(served: Served) -> None:
    """What another agent stored does not exist for it, neither by its key nor in a search."""
    keys = list[str]()

    async def write(client: ClientSession) -> None:
        keys.append(await store(client, TEXT, "the build"))

    async def read(client: ClientSession) -> None:
        result = await client.call_tool("retrieve_memory", {"memory_key": keys[0]})
        assert (True, True) == (result.is_error, f"There is no stored detail '{keys[0]}'." in text_of(result))
        hits = await client.call_tool("memory_search", {"query": "build", "tier": "detail"})
        assert [] == json.loads(text_of(hits))["hits"]
        place = await client.call_tool("memory_get", {"place": f"detail:{keys[0]}#L1-L2"})
        assert (True, True) == (place.is_error, f"There is no stored detail '{keys[0]}'." in text_of(place))

    served.talk(write)
    for other in ("zoe", ""):
        served.agent = other
        served.talk(read)


def test_without_a_store_there_is_a_sentence(served: Served) -> None:
    """The other tools answer all the same."""
    (served.root / "store").write_text("in the way")

    async def talk(client: ClientSession) -> None:
        result = await client.call_tool("store_memory", {"content": TEXT, "description": "x"})
        assert (True, True) == (result.is_error, "cannot be reached" in text_of(result))
        assert not (await client.call_tool("memory_search", {"query": "boat 17", "k": 1})).is_error

    served.talk(talk)
