"""A server over HTTP on this machine that takes pings as healthchecks.io does, and answers as told."""

from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from threading import Event, Lock
from urllib.parse import parse_qs, urlsplit

from tests.support.servers.loopback import Loopback, OwnedServer

CHECK = "5f3c1a2e-0b7d-4c58-9a61-2f4e8d7b6c90"
"""The id of the check, which is a secret: whoever knows it can ping."""


@dataclass(frozen=True)
class Pinged:
    """A ping as it came. `path` is what comes after the server's address; `run` is the id of the run."""

    path: str
    run: str
    body: str
    query: str


class PingServer(Loopback):
    """Answers with the given statuses, one ping after another; the last one goes on. Use it in a `with` statement.

    A `silent` one takes every ping and never answers. `pings` holds what came, and `heard` is set when the first has.
    """

    def __init__(self, *statuses: int, silent: bool = False) -> None:
        """Without `statuses` all is well."""
        super().__init__(_Handler)
        self._statuses = statuses or (200,)
        self._lock = Lock()
        self.silent = silent
        self.pings: list[Pinged] = []
        self.heard = Event()

    @property
    def url(self) -> str:
        """What to write into `pings.url`."""
        return f"{self.address}/{CHECK}"

    @property
    def paths(self) -> list[str]:
        """The paths that were called so far, without the check's id."""
        return [ping.path.removeprefix(f"/{CHECK}") for ping in self.pings]

    def take(self, ping: Pinged) -> int:
        """Note a ping; the status to answer it with."""
        with self._lock:
            self.pings.append(ping)
            self.heard.set()
            return self._statuses[min(len(self.pings), len(self._statuses)) - 1]


class _Handler(BaseHTTPRequestHandler):
    server: OwnedServer

    def do_POST(self) -> None:
        """Take a ping."""
        receiver = self.server.owner
        assert isinstance(receiver, PingServer)
        parts = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        run = parse_qs(parts.query).get("rid", [""])[0]
        status = receiver.take(Pinged(parts.path, run, body, parts.query))
        if receiver.silent:
            receiver.closing.wait()
            return
        self.send_response(status)
        self.send_header("Location", "/elsewhere")  # heeded only with a status that redirects
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"OK")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        """Write no access log."""
