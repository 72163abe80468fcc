"""A server that speaks the OpenAI chat-completions API over HTTP on this machine, and behaves as told."""

import contextlib
import json
from collections.abc import Sequence
from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from threading import Lock
from typing import ClassVar

from pydantic import SecretStr

from schemas.settings import ModelSettings
from tests.support.servers.behaviours import Behaviour, Received, Sent
from tests.support.servers.loopback import Loopback, OwnedServer


class ScriptedServer(Loopback):
    """Behaves in the given ways, one request after another; the last way goes on. Use it in a `with` statement.

    Any path that ends in `served` is served. `requests` holds what came, without the key.
    """

    served: ClassVar[str] = "/chat/completions"

    def __init__(self, *behaviours: Behaviour) -> None:
        """One behaviour at least; `tests.support.servers.behaviours` has the catalogue."""
        super().__init__(_Handler)
        self._behaviours: Sequence[Behaviour] = behaviours
        self._lock = Lock()
        self.requests: list[Received] = []

    @property
    def base_url(self) -> str:
        """What to write into `model.base_url`."""
        return f"{self.address}/v1"

    def settings(self, *, timeout: float = 60, attempts: int = 1, key: str = "") -> ModelSettings:
        """Settings that point here; `timeout` in seconds."""
        return ModelSettings(
            base_url=self.base_url,
            name="scripted",
            api_key=SecretStr(key),
            timeout=timedelta(seconds=timeout),
            attempts=attempts,
        )

    def respond(self, request: Received) -> Sent:
        """Note a request; how to answer it."""
        with self._lock:
            self.requests.append(request)
            behaviour = self._behaviours[min(len(self.requests), len(self._behaviours)) - 1]
        if not request.path.endswith(self.served):
            return Sent(404, b'{"error": {"message": "no such path"}}')
        return behaviour(request)

    def pause(self, sent: Sent) -> None:
        """Wait as long as the behaviour says, or until the server closes."""
        if sent.hold or sent.wait:
            self.closing.wait(None if sent.hold else sent.wait)


class _Handler(BaseHTTPRequestHandler):
    server: OwnedServer

    def do_POST(self) -> None:
        """Read the request, then send what the script says."""
        length = int(self.headers.get("Content-Length", 0))
        with_key = self.headers.get("Authorization", "") not in {"", "Bearer none"}
        request = Received(self.path, json.loads(self.rfile.read(length)), with_key)
        script = self.server.owner
        assert isinstance(script, ScriptedServer)
        sent = script.respond(request)
        script.pause(sent)
        if not sent.hold:
            with contextlib.suppress(ConnectionError):
                self._send(sent)

    def do_GET(self) -> None:
        """List the model."""
        self._send(Sent(body=b'{"object": "list", "data": [{"id": "scripted", "object": "model"}]}'))

    def _send(self, sent: Sent) -> None:
        self.send_response(sent.status)
        for name, value in sent.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(sent.body) + sent.missing))
        self.end_headers()
        self.wfile.write(sent.body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        """Write no access log."""
