"""The tools of an agent's own memory: a real client of the protocol, against the server in this process."""

from pathlib import Path

import pytest
from mcp import ClientSession

from pipeline.app.opening import open_for_reading
from pipeline.language.tokens import count_tokens
from pipeline.process.context import ProcessContext
from tests.support.tables import table
from tests.support.workspaces.agent_talk import Served, new_served, text_of

DESCRIBED = 1600
"""Tokens of all tools together, as they are sent."""
BAKERY = "Kuba runs a bakery in Gdansk"
JOURNAL = "agents/jaskier/memory/journal"


@pytest.fixture
def served(tmp_path: Path) -> Served:
    """A workspace in which `jaskier` has a memory of its own, and `dexter` one that only reads."""
    made = new_served(tmp_path)
    made.agent = "jaskier"
    settings = made.root / "memory.toml"
    settings.write_text(
        'timezone = "UTC"\n[agents.jaskier]\nautonomy = 3\nmay_read = ["dexter"]\n'
        "[agents.dexter]\nautonomy = 0\n[agents.zoe]\n"
    )
    return made


async def said(client: ClientSession, tool: str, **arguments: object) -> str:
    """The text of a tool's answer."""
    return text_of(await client.call_tool(tool, arguments))


def test_an_agent_remembers_is_corrected_and_forgets(served: Served) -> None:
    """What it asks for is there when it wakes up, by the same tools, and goes again."""

    async def talk(client: ClientSession) -> None:
        assert "jaskier remembers nothing yet." == await said(client, "memory_wake")
        assert "not confirmed until the owner says so" in await said(client, "memory_remember", text=BAKERY)
        assert f"- {BAKERY} (not confirmed)" in await said(client, "memory_wake")
        known = await said(client, "memory_know")
        line = known.partition("[")[2].partition(";")[0]
        assert f"1. {BAKERY} [{line}; not confirmed]" == known
        await said(client, "memory_update", line=line, text="Kuba runs a bakery in Gdynia")
        assert "Gdynia" in await said(client, "memory_wake")
        newer = (await said(client, "memory_know")).partition("[")[2].partition(";")[0]
        await said(client, "memory_forget", line=newer)
        assert "jaskier remembers nothing yet." == await said(client, "memory_wake")

    served.talk(talk)


def test_all_tools_together_cost_little(served: Served) -> None:
    """In at most so many tokens, for an agent with a memory of its own and for one without."""
    described = {}
    for agent in ("jaskier", ""):
        served.agent = agent

        async def talk(client: ClientSession) -> None:
            listed = await client.list_tools()
            tokens = count_tokens(listed.model_dump_json(by_alias=True, exclude_none=True))
            described[len(listed.tools)] = tokens

        served.talk(talk)
    assert {10, 6} == set(described)
    assert {} == {tools: tokens for tools, tokens in described.items() if tokens >= DESCRIBED}


def test_what_the_owner_settled_is_proposed_as_an_entry(served: Served) -> None:
    """Besides the line for the agent; it waits in the ledger, and half of a proposal gets a sentence."""
    words = {"text": BAKERY, "kind": "remember", "quote": "my bakery is in Gdansk"}

    async def talk(client: ClientSession) -> None:
        answer = await said(client, "memory_remember", **words)
        assert answer.startswith("Written into the memory of jaskier")
        assert "As an entry (remember) it waits until this session is read" in answer
        assert "give both" in await said(client, "memory_remember", text="Kuba likes rye", kind="rule")
        wrong = await client.call_tool("memory_remember", {"text": "Kuba bakes", "kind": "fact", "quote": "x"})
        assert (True, True) == (wrong.is_error, "kind" in text_of(wrong))

    served.talk(talk)
    with open_for_reading(served.root, ProcessContext({})) as engine:
        [kept] = engine.ledger.entry_proposals.waiting(engine.clock.now())
    assert ("jaskier", "remember", words["quote"]) == (kept.asked_by, kept.kind.value, kept.quote)


@table(
    ("tool", "arguments", "sentence"),
    [
        ("memory_update", {"line": "RULE-20260302-tea", "text": "tea is served warm"}, "There is no entry"),
        ("memory_remember", {"text": "word " * 200}, "too long to be one thing"),
        ("memory_remember", {"text": " ... "}, "nothing to remember"),
        ("memory_remember", {"text": BAKERY, "target": "nobody"}, "no agent with a memory of its own 'nobody'"),
        ("memory_wake", {"target": "zoe"}, "jaskier may not read what zoe knows"),
    ],
)
def test_a_wrong_request_gets_a_sentence(
    served: Served, tool: str, arguments: dict[str, object], sentence: str
) -> None:
    """It is an error to the agent, and nothing is written."""

    async def talk(client: ClientSession) -> None:
        result = await client.call_tool(tool, arguments)
        assert (True, True) == (result.is_error, sentence in text_of(result))

    served.talk(talk)
    assert not (served.root / JOURNAL).exists()


def test_an_agent_without_a_right_is_refused(served: Served) -> None:
    """Neither an agent that may not write, nor one that nobody declared, changes anything."""

    async def talk(client: ClientSession) -> None:
        answer = await said(client, "memory_remember", text=BAKERY, target="dexter")
        assert answer.startswith("Refused: ")

    served.talk(talk)
    served.agent = "unknown"

    async def strange(client: ClientSession) -> None:
        assert (await client.call_tool("memory_remember", {"text": BAKERY})).is_error

    served.talk(strange)
    assert not (served.root / "agents").exists()
