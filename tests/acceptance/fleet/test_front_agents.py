"""Agents at a front: their pages, and changes of their memory, which are acts with the agent's rights and no more."""

from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from mcp import Client

from pipeline.fleet.acts import MOST_FAILURES, MOST_WAITING_OF_AGENTS
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.folders import add_folder
from pipeline.fleet.machine import Machine
from pipeline.fleet.tokens import NewToken, add_token
from pipeline.fleet.workspaces import find_workspace
from pipeline.process.context import ProcessContext
from schemas.fleet_act import ForgetAct
from tests.acceptance.fleet.test_front_acts import acts, asked, pages
from tests.fleet.conftest import NOON
from tests.fleet.fronts import SETTINGS, ServedFleet, machine, put, served_front
from tests.fleet.working import asked as sent
from tests.fleet.working import drain, published_files, rows
from tests.support.ports.clock import FixedClock
from tests.support.workspaces.page_reader import PageReader, SentForm
from tests.support.workspaces.served_demo import HttpAnswer, ServedWorkspace
from tests.surfaces.http.test_mcp_endpoint import text_of, with_client

__all__ = ["machine"]

AGENTS = "\n[agents.main]\n[agents.zoe]\nmay_read = []\n[agents.dexter]\nautonomy = 0\n"
BAKERY = "Kuba runs a bakery in Gdansk"
REQUESTS = "/api/v1/requests"
KEY = "AKIA" + "Q4T7ZB2XMW5KJ9PR"


@pytest.fixture
def front(database: FleetDatabase, clock: FixedClock, tmp_path: Path) -> Iterator[ServedFleet]:
    """A front at which Anna and Ben have agents of the same names."""
    for name in ("anna", "ben"):
        put(database, name, tmp_path / name, "otter", SETTINGS + AGENTS)
    with served_front(database, tmp_path / "front", clock) as served:
        yield served


@pytest.fixture
def anna(front: ServedFleet, machine: Machine) -> ServedWorkspace:
    """Anna's workspace, in which a worker has done what was due."""
    del machine
    return front.owner("anna")


def by_agent(owner: ServedWorkspace, **wanted: str) -> HttpAnswer:
    """The answer to a request of the agent `main`."""
    return owner.ask(REQUESTS, "POST", wanted, authorization=f"Bearer {owner.agent}")


def calling(owner: ServedWorkspace, work: Callable[[Client], Awaitable[None]]) -> None:
    """Let the agent call tools."""
    with_client(owner, owner.agent, work)


async def said(client: Client, tool: str, **arguments: str) -> str:
    """The text of a tool's answer."""
    return text_of(await client.call_tool(tool, arguments))


def seen_by(owner: ServedWorkspace, number: int, token: str = "") -> HttpAnswer:
    """An act, as a token may see it."""
    return owner.ask(f"/api/v1/acts/{number}", authorization=f"Bearer {token or owner.person}")


def test_an_agent_remembers_is_corrected_and_forgets(
    front: ServedFleet, machine: Machine, anna: ServedWorkspace
) -> None:
    """By its tools: each asks for an act, and afterwards the agent knows it, as on one machine."""
    line = ""

    async def remember(client: Client) -> None:
        assert "Asked for, as act 1: a worker does it soon" in await said(client, "memory_remember", text=BAKERY)
        assert "Nothing is known yet." == await said(client, "memory_know")

    async def know(client: Client) -> None:
        nonlocal line
        known = await said(client, "memory_know")
        line = known.partition("[")[2].partition(";")[0]
        assert f"1. {BAKERY} [{line}; not confirmed]" == known
        assert f"- {BAKERY} (not confirmed)" in await said(client, "memory_wake")
        assert "act 2" in await said(client, "memory_update", line=line, text="Kuba runs a bakery in Gdynia")
        assert "act 3" in await said(client, "memory_forget", line=line)

    calling(anna, remember)
    drain(machine)
    calling(anna, know)
    drain(machine)
    assert [("memory", "done")] * 3 == acts(front)
    assert "asked by main over mcp" in pages(front)
    results = [seen_by(anna, number).value["answer"]["result"] for number in (1, 2, 3)]
    assert ["written", "suggested", "suggested"] == results


def test_a_change_is_of_the_moment_at_which_it_was_asked_for(
    front: ServedFleet, machine: Machine, anna: ServedWorkspace, clock: FixedClock
) -> None:
    """Not of that of the worker: the session that confirms it has to have that moment in it."""
    by_agent(anna, operation="CORE", text=BAKERY)
    clock.move(timedelta(hours=20))
    drain(machine)
    assert "asked by main over http, 2026-03-04T12:00+00:00" in pages(front)


def test_an_agent_sees_its_own_acts(front: ServedFleet, machine: Machine, anna: ServedWorkspace) -> None:
    """At the address that it was told, and no others: neither those of a person, nor of an agent of another owner."""
    first = by_agent(anna, operation="CORE", text=BAKERY)
    assert (202, "/w/anna/api/v1/acts/1") == (first.status, first.headers["location"])
    assert 202 == anna.ask(REQUESTS, "POST", {"operation": "CORE", "agent": "zoe", "text": "Zoe is calm"}).status
    with front.database.transaction() as connection:
        owner = find_workspace(connection, "anna")
        zoe = add_token(connection, owner, NewToken("zoe", agent="zoe"), NOON)
    drain(machine)
    ben = front.owner("ben")
    callers = ((1, anna.agent), (2, anna.agent), (1, zoe), (1, ben.agent))
    assert [200, 404, 404, 401] == [seen_by(anna, *caller).status for caller in callers]
    assert 404 == seen_by(ben, 1, ben.agent).status
    assert ["main", "zoe"] == [name for name in ("main", "zoe") if f"agents/{name}/memory/journal" in pages(front)]
    with front.database.transaction() as connection:
        other = published_files(front.database, find_workspace(connection, "ben"))
    assert not [path for path in other if "journal" in path]


def test_the_memory_of_another_agent(front: ServedFleet, machine: Machine, anna: ServedWorkspace) -> None:
    """Without the right an agent changes none, whatever it names; the act is refused as on one machine."""
    for agent in ("zoe", "dexter"):
        assert 202 == by_agent(anna, operation="CORE", text=BAKERY, agent=agent).status
    drain(machine)
    assert [("memory", "refused")] * 2 == acts(front)
    assert "Refused: " in seen_by(anna, 1, anna.agent).value["answer"]["error"]
    assert BAKERY not in pages(front)


def test_requests_that_say_nothing(front: ServedFleet, anna: ServedWorkspace) -> None:
    """They are refused at once, with the sentence of one machine, and no secret waits in an act."""
    assert [404, 400, 400] == [
        by_agent(anna, operation="CORE", text=text, agent=agent).status
        for text, agent in ((BAKERY, "nobody"), (" ... ", ""), ("word " * 200, ""))
    ]
    assert 422 == by_agent(anna, operation="PIN", line="j-00000000").status
    assert [] == acts(front)
    words = {"kind": "rule", "quote": f"the key\0 is {KEY}"}
    assert 202 == by_agent(anna, operation="CORE", text=f"The key is {KEY}", line="\0", **words).status
    assert KEY not in str(rows(front.database, "SELECT body FROM act"))


def test_an_agent_that_asks_without_end(front: ServedFleet, anna: ServedWorkspace) -> None:
    """It leaves room for the acts of its owner."""
    with front.database.transaction() as connection:
        connection.execute(
            "INSERT INTO act (workspace_id, seq, kind, asker, body, asked) "
            "SELECT id, -number, 'memory', 'main', '{}', now() FROM workspace, generate_series(2, %s) AS number "
            "WHERE name = 'anna'",
            [MOST_WAITING_OF_AGENTS],
        )
    assert [202, 503] == [by_agent(anna, operation="CORE", text=BAKERY).status for _ in range(2)]
    assert 202 == anna.ask(REQUESTS, "POST", {"operation": "CORE", "text": BAKERY, "agent": "main"}).status


def test_what_the_owner_settled_is_proposed_as_an_entry(machine: Machine, anna: ServedWorkspace) -> None:
    """Besides the line; the answer of the act says what became of both."""

    async def remember(client: Client) -> None:
        await said(client, "memory_remember", text=BAKERY, kind="remember", quote="my bakery is in Gdansk")
        assert "give both" in await said(client, "memory_remember", text="Kuba likes rye", kind="rule")

    calling(anna, remember)
    drain(machine)
    answers = [seen_by(anna, number).value["answer"]["message"] for number in (1, 2)]
    assert [True, False] == ["As an entry (remember) it waits until" in answer for answer in answers]


def test_an_agent_proposes_other_words_for_an_entry(
    front: ServedFleet, machine: Machine, database: FleetDatabase, demo: Path
) -> None:
    """A person decides; an entry that is not there is refused at once."""
    add_folder(database, "eve", demo, ProcessContext({}, FixedClock(NOON)))
    eve = front.owner("eve")
    entry = next(entry for entry in eve.ask("/api/v1/entries").value if entry["status"] == "active")
    before = len(eve.ask("/api/v1/suggestions").value)

    async def propose(client: Client) -> None:
        assert "act 1" in await said(client, "memory_update", line=entry["id"], text="Everything is otherwise.")
        assert "There is no entry" in await said(client, "memory_update", line="RULE-20260302-tea", text="x y")

    calling(eve, propose)
    drain(machine)
    assert [("propose", "done")] == acts(front)
    assert before + 1 == len(eve.ask("/api/v1/suggestions").value)


def test_a_line_is_pinned(front: ServedFleet, machine: Machine, anna: ServedWorkspace) -> None:
    """On the page of the agent, by an act with the digest of what was shown; a second time it is refused."""
    by_agent(anna, operation="CORE", text=BAKERY)
    drain(machine)
    browser = front.browser("anna")
    pin = browser.get("/w/anna/agents/main").form("/w/anna/agents/main/pin")
    assert [409, 404, 404] == [
        browser.post(form, **fields).status
        for form, fields in (
            (pin, {"seen": "0"}),
            (pin, {"line": "j-00000000"}),
            (SentForm("/w/anna/agents/zoe/pin", pin.fields), {}),
        )
    ]
    for _ in range(2):
        asked(browser, pin)
    drain(machine)
    assert [("memory", "done"), ("memory", "done"), ("memory", "refused")] == acts(front)
    assert "Pinned, in the memory of main." in browser.get("/w/anna/acts/2").text
    assert "It is pinned already." in browser.get("/w/anna/acts/3").text
    assert "UNPIN" == browser.get("/w/anna/agents/main").form("/w/anna/agents/main/pin").fields["operation"]


def test_the_pages_of_agents(front: ServedFleet) -> None:
    """They have no form for the settings, and tell nothing of the agents of the front's machine."""
    browser = front.browser("anna")
    for language, words in {"en": "pull the workspace", "pl": "pobierz przestrzeń", "zh": "先拉取"}.items():
        seen = PageReader(browser.workspace, language, browser.cookies).get("/w/anna/agents")
        assert (True, False) == (words in seen.text, "connections" in seen.html), language
        assert not [form for form in seen.forms if "settings" in form.action]
    assert 404 == browser.get("/w/anna/agents/nobody").status
    anna = front.owner("anna")
    assert 403 == anna.ask("/agents/main", accept="text/html", authorization=f"Bearer {anna.agent}").status


def test_a_line_that_is_forgotten(front: ServedFleet, machine: Machine, anna: ServedWorkspace) -> None:
    """It leaves the pages and the answers of acts; a later wish about the line is refused."""
    by_agent(anna, operation="CORE", text=BAKERY)
    drain(machine)
    browser = front.browser("anna")
    shown = browser.get("/w/anna/agents/main")
    pin, link = shown.form("/w/anna/agents/main/pin"), next(link for link in shown.links if "/forget/j-" in link)
    asked(browser, browser.get(link).form("/w/anna/forget/"), typed="forget")
    asked(browser, pin)
    drain(machine)
    assert [("forget", "done"), ("memory", "refused")] == acts(front)
    assert "bakery" not in pages(front) + str(rows(front.database, "SELECT body, answer FROM act"))


def test_acts_that_waited_while_something_was_forgotten(
    front: ServedFleet, machine: Machine, anna: ServedWorkspace
) -> None:
    """Those that an error keeps waiting bring nothing back, and their words stand in no row; others are carried out."""
    words = ("Kuba lives in Gdynia", "Kuba likes rye", "Kuba has a sister", "Zoe is calm")
    by_agent(anna, operation="CORE", text=words[0])
    drain(machine)
    for text in words[1:]:
        by_agent(anna, operation="CORE", text=text)
    with front.database.transaction() as connection:
        connection.execute("UPDATE act SET state = 'aside' WHERE seq IN (2, 4)")
        connection.execute("UPDATE act SET failures = %s, failing = now() WHERE seq = 3", [MOST_FAILURES])
        workspace = find_workspace(connection, "anna")
    assert [5] == sent(machine, workspace, ForgetAct(topic="Kuba"))
    drain(machine)
    states = rows(front.database, "SELECT seq, state FROM act ORDER BY seq")
    assert [(2, "refused"), (3, "refused"), (4, "done"), (5, "done")] == states
    assert ("Kuba" in pages(front), "Zoe is calm" in pages(front)) == (False, True)
    assert "Kuba" not in str(rows(front.database, "SELECT body, answer FROM act"))


def test_preferences_for_all_sessions(front: ServedFleet, machine: Machine, anna: ServedWorkspace) -> None:
    """A line in the memory of the agent is asked for, which nobody has confirmed."""
    wanted = {"session_id": "s1", "agent": "main", "preference_scope": "global", "tone": "dry"}
    begun = anna.ask("/api/v1/sessions", "POST", wanted)
    assert "Asked for a line in the memory of main, as act 1" in begun.value["notice"]
    drain(machine)
    assert [("memory", "done")] == acts(front)
    assert "PREFERENCE: tone: dry" in pages(front)
