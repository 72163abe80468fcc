"""More connections than there may be."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from threading import Event, Semaphore
from urllib.parse import urlsplit

import pytest

from pipeline.service.web.server import CONNECTIONS, Receive, Scope, Send, WebServer

SECONDS = 60.0  # so that no test hangs
REQUEST = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"


@dataclass
class SlowApplication:
    """Answers once it is let go; `began` counts what it works at."""

    began: Semaphore = field(default_factory=lambda: Semaphore(0))
    let_go: Event = field(default_factory=Event)

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """Wait, and answer."""
        if scope["type"] != "http":
            return
        self.began.release()
        await asyncio.to_thread(self.let_go.wait, SECONDS)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})


@dataclass
class Callers:
    """Who calls the application."""

    application: SlowApplication
    place: tuple[str, int]
    open: ExitStack

    def line(self) -> socket.socket:
        """A connection that says nothing yet."""
        return self.open.enter_context(socket.create_connection(self.place, timeout=SECONDS))

    def asking(self, number: int) -> list[socket.socket]:
        """So many connections, each with a request at work."""
        lines = [self.line() for _ in range(number)]
        for line in lines:
            line.sendall(REQUEST)
        assert all(self.application.began.acquire(timeout=SECONDS) for _ in lines)
        return lines


@contextmanager
def called(connections: int) -> Iterator[Callers]:
    """A server of a slow application with so many connections at most, and those who call it."""
    application = SlowApplication()
    with WebServer("127.0.0.1:0", application, connections=connections) as server, ExitStack() as stack:
        place = urlsplit(server.address)
        yield Callers(application, (place.hostname or "", place.port or 0), stack)
        application.let_go.set()


@pytest.fixture
def callers() -> Iterator[Callers]:
    """Those who call a server with the usual number of connections."""
    with called(CONNECTIONS) as those:
        yield those


def is_dropped(line: socket.socket) -> bool:
    """Whether the other side has ended a connection."""
    try:
        return not line.recv(1)
    except ConnectionResetError:
        return True


def test_a_request_at_work_is_never_cut_off(callers: Callers) -> None:
    """Where all are at work nobody more is let in, and all of them get their answers."""
    lines = callers.asking(CONNECTIONS)
    assert [True] * 3 == [is_dropped(callers.line()) for _ in range(3)]
    callers.application.let_go.set()
    assert {b"HTTP/1.1 200"} == {line.recv(12) for line in lines}


def test_an_idle_one_makes_room(callers: Callers) -> None:
    """Although it came last."""
    lines = callers.asking(CONNECTIONS - 1)
    idle = callers.line()
    lines += callers.asking(1)
    assert is_dropped(idle)
    callers.application.let_go.set()
    assert {b"HTTP/1.1 200"} == {line.recv(12) for line in lines}


def test_a_server_with_another_number() -> None:
    """The one that is set."""
    with called(2) as callers:
        callers.asking(2)
        assert is_dropped(callers.line())
