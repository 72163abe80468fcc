"""`/metrics`, `/health/live` and `/health/ready`, over HTTP on the address that the settings name."""

import json
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from socketserver import TCPServer
from threading import Lock, Thread
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from pipeline.clock import stopwatch
from pipeline.errors import PipelineError
from pipeline.errors.service import CannotListen
from pipeline.service.monitoring.snapshot import Snapshot, not_ready
from schemas.service_settings import host_and_port

_HERE = "127.0.0.1"
_PATIENCE_SECONDS = 5.0  # for a reader that sends or takes nothing
LONGEST_SECONDS = 10.0
"""For one connection: a reader that sends a byte now and then never reaches the other limit."""
_CONNECTIONS = 32  # at once, each of which takes a thread; the oldest makes room for one more
_BACKLOG = 16
_TEXT = "text/plain; charset=utf-8"


@dataclass(frozen=True)
class HealthSource:
    """The source of the health pages.

    `last_turn` is when the main loop turned last, on `stopwatch`; after `stuck` seconds without a turn the service is
    not live. `snapshot` raises `PipelineError` when settings or ledger cannot be used. It is called in a thread of its
    own, and its result is served for `fresh` seconds, so that readers cannot load the machine.
    """

    last_turn: Callable[[], float]
    snapshot: Callable[[], Snapshot]
    stuck: float = 180.0
    fresh: float = 15.0
    stopwatch: Callable[[], float] = stopwatch


@dataclass(frozen=True)
class _HttpAnswer:
    """An answer."""

    status: HTTPStatus
    body: bytes
    content_type: str = _TEXT


@dataclass(frozen=True)
class _Look:
    """The result of a look: a snapshot, or none, and the reasons against readiness."""

    at: float
    snapshot: Snapshot | None
    reasons: tuple[str, ...]


class HealthServer:
    """Answers while its `with` statement lasts, in threads of its own."""

    def __init__(self, where: str, source: HealthSource, longest: float = LONGEST_SECONDS) -> None:
        """`where` is HOST:PORT as `ServiceSettings.http` takes it, and empty to listen nowhere.

        Without a host it is 127.0.0.1, and port 0 takes one that is free. A connection may last `longest` seconds.
        """
        self._longest = longest
        self._where, self._place = where, _place(where) if where else None
        self._pages = _HealthPages(source)
        self._server: _HttpServer | None = None

    @property
    def address(self) -> str:
        """The beginning of the URLs; empty while nothing listens."""
        if self._server is None:
            return ""
        host, port = self._server.server_address[:2]
        name = str(host)
        return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"

    def __enter__(self) -> Self:
        """Begin to listen.

        Raises:
            CannotListen: the address cannot be had.
        """
        if self._place:
            try:
                self._server = _HttpServer(self._place, self._pages, self._longest)
            except OSError as error:
                raise CannotListen(self._where, error.strerror or str(error)) from error
            Thread(target=self._server.serve_forever, name="health", daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            self._server = None


class _HealthPages:
    """The answer for a path."""

    def __init__(self, source: HealthSource) -> None:
        self._source = source
        self._look: _Look | None = None
        self._lock = Lock()

    def page(self, path: str, accept: str) -> _HttpAnswer:
        """The page at a path, for a reader that accepts such content."""
        if path == "/health/live":
            return self._live()
        if path == "/health/ready":
            return _reasons_answer(self._looked().reasons)
        if path == "/metrics":
            return self._metrics(accept)
        return _HttpAnswer(HTTPStatus.NOT_FOUND, b"There are /metrics, /health/live and /health/ready.\n")

    def _live(self) -> _HttpAnswer:
        still = self._source.stopwatch() - self._source.last_turn()
        return _reasons_answer(
            (f"the main loop has not turned for {still:.0f} s",) if still > self._source.stuck else ()
        )

    def _metrics(self, accept: str) -> _HttpAnswer:
        from pipeline.service.monitoring.metrics import exposed  # noqa: PLC0415 - 14 MB, only for metrics

        look = self._looked()
        body, content_type = exposed(look.snapshot, ready=not look.reasons, accept=accept)
        return _HttpAnswer(HTTPStatus.OK, body, content_type)

    def _looked(self) -> _Look:
        """The last snapshot that is fresh enough; concurrent readers wait for the same one."""
        with self._lock:
            now = self._source.stopwatch()
            if self._look is None or now - self._look.at >= self._source.fresh:
                self._look = self._look_now(now)
            return self._look

    def _look_now(self, now: float) -> _Look:
        try:
            snapshot = self._source.snapshot()
        except PipelineError as error:
            return _Look(now, None, (str(error),))
        return _Look(now, snapshot, tuple(not_ready(snapshot)))


class _HttpServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = _BACKLOG

    def __init__(self, place: tuple[str, int], pages: _HealthPages, longest: float) -> None:
        self.pages, self._longest = pages, longest
        self.host = place[0]
        self._open: dict[socket.socket, float] = {}  # by when each was taken, the oldest first
        self._changing = Lock()
        self.address_family = socket.AF_INET6 if ":" in place[0] else socket.AF_INET
        super().__init__(place, _Handler)

    def server_bind(self) -> None:
        """Bind, without asking the network for this machine's name as the base class does."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = self.host, self.server_address[1]

    def process_request(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - as of the base class
        """Serve a connection in a thread; the oldest is dropped when there are too many."""
        with self._changing:
            self._drop(list(self._open)[: len(self._open) - _CONNECTIONS + 1])
            self._open[request] = stopwatch()
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:  # noqa: ANN401 - as of the base class
        """Close a connection."""
        with self._changing:
            self._open.pop(request, None)
        super().shutdown_request(request)

    def service_actions(self) -> None:
        """Drop the connections that have lasted too long; called again and again while the server waits."""
        with self._changing:
            self._drop([connection for connection, since in self._open.items() if stopwatch() - since > self._longest])

    def _drop(self, connections: list[socket.socket]) -> None:
        """Wake the threads of these connections, each of which then closes its own."""
        for connection in connections:
            del self._open[connection]
            with suppress(OSError):  # its reader has gone
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore a reader that went away; any other error is a bug, and is logged as one."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]  # passed on as they came

    def is_meant(self, host: str) -> bool:
        """Whether a request with this `Host` is for us.

        A web page can resolve its own name to 127.0.0.1 and so read local services through a visitor's browser. A
        server that listens only on this machine therefore answers to local names alone.
        """
        try:
            name = urlsplit(f"//{host}").hostname
        except ValueError:
            return False
        return not _is_here(str(self.server_address[0])) or name == self.host or _is_here(name or "")


class _Handler(BaseHTTPRequestHandler):
    server: _HttpServer
    timeout = _PATIENCE_SECONDS
    server_version = "memory"
    sys_version = ""

    def do_GET(self) -> None:
        """Show a page."""
        if self.server.is_meant(self.headers.get("Host", _HERE)):
            self._send(self.server.pages.page(urlsplit(self.path).path, self.headers.get("Accept", "")))
        else:
            self._send(_HttpAnswer(HTTPStatus.MISDIRECTED_REQUEST, b"This Host is not served here.\n"))

    def do_HEAD(self) -> None:
        """Its headers alone."""
        self.do_GET()

    def do_POST(self) -> None:
        """Refuse: there is nothing to change."""
        self._send(_HttpAnswer(HTTPStatus.METHOD_NOT_ALLOWED, b"Only GET and HEAD.\n"))

    do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_POST  # noqa: N815 - the base class looks for such names

    def _send(self, page: _HttpAnswer) -> None:
        self.send_response(page.status)
        self.send_header("Content-Type", page.content_type)
        self.send_header("Content-Length", str(len(page.body)))
        self.send_header("Cache-Control", "no-store")
        if page.status is HTTPStatus.METHOD_NOT_ALLOWED:
            self.send_header("Allow", "GET, HEAD")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(page.body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        """Write no access log."""


def _reasons_answer(reasons: tuple[str, ...]) -> _HttpAnswer:
    body = json.dumps({"status": "failing" if reasons else "ok", "reasons": reasons}, ensure_ascii=False)
    status = HTTPStatus.SERVICE_UNAVAILABLE if reasons else HTTPStatus.OK
    return _HttpAnswer(status, f"{body}\n".encode(errors="replace"), "application/json")


def _place(where: str) -> tuple[str, int]:
    host, port = host_and_port(where)
    return host or _HERE, port


def _is_here(name: str) -> bool:
    """Whether a name or an address stands for this machine alone."""
    try:
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False
