"""A server with the Batch API of OpenAI: files, batches, and direct questions, each counted."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from threading import Event, Lock
from typing import Any, cast
from urllib.parse import urlsplit

from tests.support.servers.behaviours import Behaviour, Received, Sent
from tests.support.servers.loopback import Loopback, OwnedServer

_DIRECT = "/v1/chat/completions"


@dataclass
class Batch:
    """A batch at the server: its requests, and how it stands."""

    id: str
    requests: list[dict[str, Any]]
    metadata: dict[str, str]
    status: str = "in_progress"
    files: dict[str, str] = field(default_factory=dict)

    def shown(self) -> dict[str, Any]:
        """As the API shows it."""
        made = {"completion_window": "24h", "created_at": 1, "endpoint": _DIRECT, "input_file_id": "f"}
        files = {f"{name}_file_id": f"{self.id}-{name}" for name in self.files}
        return {"id": self.id, "object": "batch", "status": self.status, "metadata": self.metadata, **made, **files}


class BatchServer(Loopback):
    """Answers by a behaviour: in batches when a test ends them, and directly at once.

    `paid` counts the answers by question, in whichever way. `hold` names a step at which requests wait, such as
    `before POST /v1/batches` or `after GET /v1/batches`, and `reached` is set when one does. With `takes_batches` off
    it knows no batches.
    """

    def __init__(self, behaviour: Behaviour) -> None:
        super().__init__(_Handler)
        self.behaviour = behaviour
        self.batches: list[Batch] = []
        self.paid = Counter[str]()
        self.direct = list[Received]()
        self.hold, self.reached, self.takes_batches = "", Event(), True
        self._files: dict[str, str] = {}
        self._lock = Lock()

    @property
    def base_url(self) -> str:
        """What to write into `model.base_url`."""
        return f"{self.address}/v1"

    def end(self, status: str = "completed", *, without: Callable[[dict[str, Any]], bool] = lambda _: False) -> None:
        """End all batches; requests that are `without` an answer stand in the file of errors."""
        for batch in [one for one in self.batches if one.status == "in_progress"]:
            lines: dict[str, list[str]] = {"output": [], "error": []}
            for request in batch.requests:
                failed = status == "failed" or without(request)
                lines["error" if failed else "output"].append(self._line(request, failed=failed))
            batch.files = {name: "\n".join(some) for name, some in lines.items() if some and status != "failed"}
            batch.status = status

    def _line(self, request: dict[str, Any], *, failed: bool) -> str:
        line: dict[str, Any] = {"id": "r", "custom_id": request["custom_id"], "response": None, "error": None}
        if failed:
            return json.dumps({**line, "error": {"code": "batch_expired", "message": "no time"}})
        sent = self.pay(Received(_DIRECT, request["body"], with_key=False))
        response = {"status_code": sent.status, "body": json.loads(sent.body)}
        return json.dumps({**line, "response": response}, ensure_ascii=False)

    def pay(self, request: Received) -> Sent:
        """Answer a question, and count it."""
        with self._lock:
            self.paid[json.dumps(request.body["messages"])] += 1
        return self.behaviour(request)

    def respond(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        """The answer to a request."""
        words = path.strip("/").split("/")[1:]
        if words == ["chat", "completions"]:
            request = Received(path, json.loads(body), with_key=False)
            self.direct.append(request)
            sent = self.pay(request)
            return sent.status, sent.body
        if not self.takes_batches:
            return 404, b'{"error": {"message": "no such path"}}'
        return 200, self._posted(words, body) if method == "POST" else self._shown(words)

    def _shown(self, words: list[str]) -> bytes:
        match words:
            case ["batches"]:
                return _json({"object": "list", "data": [one.shown() for one in self.batches], "has_more": False})
            case ["batches", name]:
                return _json(self._batch(name).shown())
            case ["files", name, "content"]:
                batch, _, file = name.rpartition("-")
                return self._batch(batch).files[file].encode()
            case _:
                return b"{}"

    def _posted(self, words: list[str], body: bytes) -> bytes:
        match words:
            case ["files"]:
                return self._uploaded(body)
            case ["batches", name, "cancel"]:
                self.end("cancelled", without=lambda _: True)
                return _json(self._batch(name).shown())
            case _:
                return self._made(json.loads(body))

    def _uploaded(self, body: bytes) -> bytes:
        lines = [line for line in body.decode().splitlines() if line.startswith('{"custom_id"')]
        with self._lock:
            name = f"file-{len(self._files)}"
            self._files[name] = "\n".join(lines)
        made = {"bytes": 1, "created_at": 1, "filename": "x", "purpose": "batch", "status": "processed"}
        return _json({"id": name, "object": "file", **made})

    def _made(self, asked: dict[str, Any]) -> bytes:
        requests = [json.loads(line) for line in self._files[asked["input_file_id"]].splitlines()]
        assert ["24h", _DIRECT] == [asked["completion_window"], asked["endpoint"]]
        assert 1 == len({request["body"]["model"] for request in requests})
        with self._lock:
            batch = Batch(f"batch_{len(self.batches)}", requests, asked["metadata"])
            self.batches.append(batch)
        return _json(batch.shown())

    def _batch(self, name: str) -> Batch:
        return next(batch for batch in self.batches if batch.id == name)

    def wait_at(self, step: str) -> None:
        """Wait where a test holds requests: for as long as the server is open."""
        if step == self.hold:
            self.reached.set()
            self.closing.wait()


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value).encode()


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self._respond()

    def do_GET(self) -> None:
        self._respond()

    def _respond(self) -> None:
        server = cast("BatchServer", cast("OwnedServer", self.server).owner)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path = urlsplit(self.path).path
        step = f"{self.command} {'/'.join(path.split('/')[:3])}"
        server.wait_at(f"before {step}")
        status, data = server.respond(self.command, path, body)
        server.wait_at(f"after {step}")
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        """Write no access log."""
