"""Servers over HTTP on this machine, for the fakes that speak to real clients; and a port for a server of ours."""

import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from types import TracebackType
from typing import Self


class Loopback:
    """Serves on a port of its own while its `with` statement lasts. `closing` is set as it ends, for who waits."""

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        """`handler` answers; it finds this object as `self.server.owner`, the server being an `OwnedServer`."""
        self.closing = Event()
        self._server = OwnedServer(self, handler)
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def address(self) -> str:
        """What its URLs begin with."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class OwnedServer(ThreadingHTTPServer):
    """The server of a `Loopback`."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, owner: Loopback, handler: type[BaseHTTPRequestHandler]) -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", 0), handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Stay quiet: a client that gave up waiting is what some behaviours are for."""


@contextmanager
def held_port() -> Iterator[int]:
    """A port that nobody else is given meanwhile: a server that names it can listen there, once or several times."""
    with closing(socket.socket()) as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]
