"""A hub of models over HTTP on this machine, which serves the files of folders as the real one does."""

import json
from collections.abc import Mapping
from hashlib import sha1, sha256
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import urlsplit

from tests.support.servers.loopback import Loopback, OwnedServer

_REVISION = "0123456789abcdef0123456789abcdef01234567"


class ModelHub(Loopback):
    """Serves each folder of `models` under its name. Use it in a `with` statement.

    A `silent` one takes every connection and never answers. `paths` are what was asked for.
    """

    def __init__(self, models: Mapping[str, Path], *, silent: bool = False) -> None:
        """`models` are folders by the name of the repository: an owner, a slash, a name."""
        super().__init__(_Handler)
        self.models = models
        self.silent = silent
        self.paths: list[str] = []

    @property
    def endpoint(self) -> str:
        """What to set `HF_ENDPOINT` to."""
        return self.address

    def answer(self, path: str) -> bytes | None:
        """What stands at a path; `None` for nothing."""
        self.paths.append(path)
        for name, folder in self.models.items():
            files = {file.relative_to(folder).as_posix(): file for file in folder.rglob("*") if file.is_file()}
            if path in {f"/api/models/{name}", f"/api/models/{name}/revision/main"}:
                siblings = [{"rfilename": file} for file in sorted(files)]
                return json.dumps({"id": name, "modelId": name, "sha": _REVISION, "siblings": siblings}).encode()
            if path.startswith(f"/api/models/{name}/tree/"):
                return json.dumps([_entry(shown, file) for shown, file in sorted(files.items())]).encode()
            if path.startswith(f"/{name}/resolve/"):
                asked = path.removeprefix(f"/{name}/resolve/").partition("/")[2]
                return files[asked].read_bytes() if asked in files else None
        return None


def _entry(shown: str, file: Path) -> dict[str, object]:
    held = file.read_bytes()
    name = sha1(b"blob %d\0" % len(held) + held, usedforsecurity=False).hexdigest()  # as git names its content
    return {"type": "file", "path": shown, "size": len(held), "oid": name}


class _Handler(BaseHTTPRequestHandler):
    server: OwnedServer

    def do_HEAD(self) -> None:
        """Headers alone."""
        self._respond(body=False)

    def do_GET(self) -> None:
        """What stands there."""
        self._respond(body=True)

    def _respond(self, *, body: bool) -> None:
        hub = self.server.owner
        assert isinstance(hub, ModelHub)
        if hub.silent:
            hub.closing.wait()
            return
        held = hub.answer(urlsplit(self.path).path)
        self.send_response(200 if held is not None else 404)
        self.send_header("Content-Length", str(len(held or b"")))
        if held is None:
            self.send_header("X-Error-Code", "RepoNotFound")
        else:
            self.send_header("Content-Type", "application/json" if "/api/" in self.path else "application/octet-stream")
            self.send_header("X-Repo-Commit", _REVISION)
            self.send_header("ETag", f'"{sha256(held).hexdigest()}"')
        self.end_headers()
        if body:
            self.wfile.write(held or b"")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        """Write no access log."""
