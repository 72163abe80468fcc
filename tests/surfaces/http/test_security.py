"""Strangers over HTTP: their host, their origin, their token, their pages, their bodies and their patience."""

import asyncio
import select
import shutil
import socket
from collections.abc import MutableMapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pipeline.service.web.server import CONNECTIONS, Receive, Scope, Send
from pipeline.surfaces.http.security.guard import AT_WORK, BODY, BURST, LARGE_AT_WORK, Guard, Rates
from pipeline.surfaces.http.security.rules import Rules
from pipeline.workspace.tokens import TokenFile
from schemas.caller import Caller, CallerKind
from tests.support.tables import table
from tests.support.workspaces.served_demo import NOW, ServedWorkspace, served

ENTRIES = "/api/v1/entries"
FORGET = "/api/v1/forget"


@table("host", ["evil.example", "127.0.0.1.evil.example", "", "10.0.0.1"])
def test_a_strange_host(reading: ServedWorkspace, host: str) -> None:
    """A name that leads here by a trick reads nothing, with a token either."""
    assert 421 == reading.ask(ENTRIES, host=host or "[").status


@table("token", ["", "Bearer", "Bearer ", "Bearer mem_guess", "Basic YTpi", "mem_x", "Bearer ąę"])
def test_a_strange_token(reading: ServedWorkspace, token: str) -> None:
    """Nothing without one; the answer says how to get one."""
    given = token.encode().decode("latin-1")
    answer = reading.ask(ENTRIES, authorization=given)
    assert (401, "Bearer") == (answer.status, answer.headers["www-authenticate"])
    assert "memory config token add" in answer.value["detail"]


@table(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
    ],
)
def test_a_page_that_posts_to_us(reading: ServedWorkspace, headers: dict[str, str]) -> None:
    """Refused before anything is read, although the token is good."""
    assert 403 == reading.ask(FORGET, "POST", {"id": "x"}, **headers).status


def test_our_own_origin_may_post(reading: ServedWorkspace) -> None:
    """A request of our own page gets as far as its body."""
    assert 404 == reading.ask(FORGET, "POST", {"id": "x"}, origin=reading.address, sec_fetch_site="same-origin").status


def test_no_page_of_others_reads_or_frames_us(reading: ServedWorkspace) -> None:
    """No CORS, no frame, no guess of types, no cache; of problems too."""
    for answer in (reading.ask(ENTRIES, origin="https://evil.example"), reading.ask("/api/v1/nothing")):
        assert not [name for name in answer.headers if name.startswith("access-control")]
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert ("nosniff", "no-store") == (answer.headers["x-content-type-options"], answer.headers["cache-control"])


def test_a_body_that_is_too_long(reading: ServedWorkspace) -> None:
    """Refused by its announced length, and where it announces none, once it is too long."""
    announced = reading.ask(FORGET, "POST", b"", content_length=str(BODY + 1))
    assert 413 == announced.status
    place = urlsplit(reading.address)
    head = (
        f"POST {place.path}{FORGET} HTTP/1.1\r\nHost: {place.netloc}\r\nAuthorization: Bearer {reading.person}\r\n"
        "Transfer-Encoding: chunked\r\n\r\n"
    )
    with socket.create_connection((place.hostname, place.port), timeout=60) as line:
        line.sendall(head.encode())
        piece = b"100000\r\n" + b"x" * 0x100000 + b"\r\n"
        try:
            for _ in range(BODY // 0x100000 + 2):
                line.sendall(piece)
        except OSError:
            pass
        assert line.recv(20).startswith(b"HTTP/1.1 413")


def test_a_token_that_is_revoked(changing: ServedWorkspace) -> None:
    """It opens nothing from the next request on."""
    assert 200 == changing.ask(ENTRIES).status
    TokenFile(changing.root).revoke("anna", NOW)
    assert 401 == changing.ask(ENTRIES).status


def test_the_token_of_a_laptop_ships_and_does_nothing_else(changing: ServedWorkspace) -> None:
    """Whatever the path and the method are; what it ships is kept."""
    laptop = f"Bearer {TokenFile(changing.root).add('laptop', CallerKind.LAPTOP, '', NOW)}"
    paths = changing.ask("/openapi.json").value["paths"]
    asked = {(path, method.upper()) for path, methods in paths.items() for method in methods}
    ships = {("/api/v1/transcripts", method) for method in ("GET", "POST")}
    others = {*asked, ("/mcp", "POST"), ("/", "GET"), ("/openapi.json", "GET"), ("/api/v1/transcripts/", "GET")} - ships
    statuses = {place: changing.ask(*place, authorization=laptop, sec_fetch_site="none").status for place in others}
    assert {403} == {*statuses.values()}, statuses
    assert changing.ask("/api/v1/transcripts", authorization=laptop).value["ships_only"]
    assert not changing.ask("/api/v1/transcripts").value["ships_only"]


def test_damaged_tokens_let_nobody_in(changing: ServedWorkspace) -> None:
    """A problem that names the file."""
    (changing.root / ".memory" / "tokens.json").write_text("[")
    answer = changing.ask(ENTRIES)
    assert (409, True) == (answer.status, "tokens.json" in answer.value["detail"])


def test_who_listens_to_the_network_names_its_hosts(demo: Path, tmp_path: Path) -> None:
    """Without a name, metrics and health alone are there, by any name; with one, all is there by that name."""
    shutil.copytree(demo, tmp_path / "work")
    with served(tmp_path / "work", "0.0.0.0:0") as closed:
        near = ServedWorkspace(closed.root, closed.address.replace("0.0.0.0", "127.0.0.1"), closed.person, closed.agent)  # noqa: S104 - as it listens
        assert 200 == near.ask("/health/live", host="anything.example").status
        assert (421, 403) == (near.ask(ENTRIES, host="anything.example").status, near.ask(ENTRIES).status)


def test_too_many_requests() -> None:
    """A burst goes through; then as many as come back with time; everyone has their own bucket."""
    now = [0.0]
    rates = Rates(burst=3, per_second=1, now=lambda: now[0])
    assert [True, True, True, False] == [rates.allows("anna") for _ in range(4)]
    assert rates.allows("bot")
    now[0] = 1.0
    assert [True, False] == [rates.allows("anna") for _ in range(2)]
    assert BURST > 100


def test_too_many_requests_at_the_same_time(changing: ServedWorkspace) -> None:
    """An agent has some at work, and no more; others are answered meanwhile."""
    place = urlsplit(changing.address)
    path = f"{place.path}/api/v1/memories"
    head = f"POST {path} HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Length: 9\r\nAuthorization: Bearer "
    with ExitStack() as stack:
        lines = [
            stack.enter_context(socket.create_connection((place.hostname, place.port), timeout=60))
            for _ in range(AT_WORK + 1)
        ]
        for line in lines:  # their bodies never come
            line.sendall(f"{head}{changing.agent}\r\n\r\n".encode())
        (refused, *more), _, _ = select.select(lines, [], [])  # whichever came last
        assert (b"HTTP/1.1 429", []) == (refused.recv(12), more)
        assert 200 == changing.ask(ENTRIES).status


def test_strangers_with_slow_bodies_shut_nobody_out(changing: ServedWorkspace) -> None:
    """What they ask for is answered without their body, or is not waited for: there is room for others all the time."""
    place = urlsplit(changing.address)
    with ExitStack() as stack:
        for method, path in (("GET", "/health/live"), ("POST", "/sign-in"), ("GET", "/sign-in")):
            head = f"{method} {place.path}{path} HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Length: 900\r\n\r\nx"
            for _ in range(CONNECTIONS + 2):
                line = stack.enter_context(socket.create_connection((place.hostname, place.port), timeout=60))
                line.sendall(head.encode())
        assert 200 == changing.ask(ENTRIES).status


def test_a_stranger_sends_no_large_form(changing: ServedWorkspace) -> None:
    """The one body of a stranger is a short form."""
    assert 413 == changing.ask("/sign-in", "POST", b"code=" + b"1" * 5000, authorization="").status


@dataclass
class LargeBody:
    """A body of two pieces, of which the second one comes when it is let go; then the reader goes."""

    asked_twice: asyncio.Event = field(default_factory=asyncio.Event)
    let_go: asyncio.Event = field(default_factory=asyncio.Event)
    pieces: int = 0
    statuses: list[int] = field(default_factory=list)

    async def receive(self) -> MutableMapping[str, Any]:
        """The next piece."""
        self.pieces += 1
        if self.pieces == 1:
            return {"type": "http.request", "body": b'"' + b"x" * 2_000_000, "more_body": True}
        self.asked_twice.set()
        await self.let_go.wait()
        return {"type": "http.request" if self.pieces == 2 else "http.disconnect", "body": b'"'}

    async def send(self, message: MutableMapping[str, Any]) -> None:
        """Take a part of the answer."""
        self.statuses += [message["status"]] if "status" in message else []


async def _answer(_scope: Scope, receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})


def test_few_large_bodies_are_worked_on_at_once() -> None:
    """Each takes many times its size in memory: one more is refused until one of them is done."""
    rules = Rules("127.0.0.1", (), lambda _: Caller(kind=CallerKind.PERSON, name="anna"))
    guard = Guard(_answer, rules, body_seconds=600)
    headers = [(b"host", b"127.0.0.1"), (b"authorization", b"Bearer x")]
    scope = {"type": "http", "method": "POST", "path": "/api/v1/memories", "headers": headers, "query_string": b""}

    async def sent(body: LargeBody) -> list[int]:
        await guard({**scope}, body.receive, body.send)
        return body.statuses

    async def all_of_them() -> tuple[list[int], list[list[int]], list[int]]:
        slow, late, last = [LargeBody() for _ in range(LARGE_AT_WORK)], LargeBody(), LargeBody()
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(sent(body)) for body in slow]
            for body in slow:
                await body.asked_twice.wait()
            refused = await sent(late)
            for body in (*slow, last):
                body.let_go.set()
        return refused, [task.result() for task in tasks], await sent(last)

    assert ([429], [[200]] * LARGE_AT_WORK, [200]) == asyncio.run(all_of_them())


def test_the_rules_alone() -> None:
    """Names of a host that others reach, whatever their case and port."""
    anna = Caller(kind=CallerKind.PERSON, name="anna")
    rules = Rules("10.0.0.5", ("memory.example.org",), {"mem_1": anna}.get)
    assert rules.refusal("GET", ENTRIES, {"host": "Memory.Example.org:80"}) is None
    assert rules.refusal("GET", ENTRIES, {"host": "other.example.org"})
    assert rules.refusal("GET", "/metrics", {"host": "other.example.org"})
    assert anna == rules.find_caller({"authorization": "bearer mem_1"})


def test_strange_addresses_and_origins_are_no_bugs(reading: ServedWorkspace) -> None:
    """Refused, as all that is not ours."""
    assert 403 == reading.ask(FORGET, "POST", {"id": "x"}, origin="http://[").status
    place = urlsplit(reading.address).netloc
    for host in (f"{place}/evil.example", f"evil@{place}", f"{place}?x", f"{place} x"):
        assert 421 == reading.ask(ENTRIES, host=host).status


@table("path", ["grid?to=0001-01-01", "grid?to=9999-12-31", "recall?since=P99999999D"])
def test_days_out_of_time(reading: ServedWorkspace, path: str) -> None:
    """A problem, and no bug."""
    assert 422 == reading.ask(f"/api/v1/{path}").status


def test_of_many_problems_a_few_are_named(reading: ServedWorkspace) -> None:
    """However many fields are wrong."""
    answer = reading.ask(FORGET, "POST", {f"field{number}": 1 for number in range(5_000)})
    assert (422, True) == (answer.status, len(answer.body) < 4_000)
    assert "more" in answer.value["detail"]


def test_the_beginning_of_a_long_question_is_asked(reading: ServedWorkspace) -> None:
    """A search of thousands of words would keep others waiting; a note says so."""
    answer = reading.ask(f"/api/v1/search?query={'a+' * 5_000}")
    assert (200, True) == (answer.status, "Only the first 4,000 characters" in answer.body.decode())


@table(
    ("path", "body"),
    [
        ("/api/v1/memories", b'{"content": [' + b"0," * 60_000 + b"0]}"),
        ("/api/v1/sessions/s1/messages", b"[" * 60_000 + b"]" * 60_000),
        ("/mcp", b'{"fields": [' + b"[]," * 6_000 + b"0]}"),
        ("/mcp", b'{"id": [' + b"9" * 1_100_000 + b"]}"),
    ],
)
def test_a_body_that_is_long_to_parse(reading: ServedWorkspace, path: str, body: bytes) -> None:
    """Refused before it is parsed: everybody would wait."""
    answer = reading.ask(path, "POST", body, accept="application/json, text/event-stream")
    assert (413, True) == (answer.status, "outside of its texts" in answer.value["detail"].lower())


def test_a_body_in_another_encoding(reading: ServedWorkspace) -> None:
    """In it a text does not end where it seems to."""
    assert 400 == reading.ask("/api/v1/memories", "POST", '{"content": "x"}'.encode("utf-16")).status


def test_a_text_may_have_any_structure(changing: ServedWorkspace) -> None:
    """Only what stands outside of texts counts."""
    text = '{"a": [1, 2, "\\"]}, \n' * 30_000
    assert 200 == changing.ask("/api/v1/memories", "POST", {"content": text}).status
