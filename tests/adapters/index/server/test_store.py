"""What the contract does not say of the index on a server: what goes over the wire, and what goes wrong there."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from pipeline.adapters.index.server.store import ServerStore
from pipeline.errors import IndexUnavailable
from pipeline.ports.index import IndexPoint
from pipeline.testing.search_contract import EAST, LAYOUT, Stored, named, terms

KEY = "s3cr3t-k3y-of-the-server"
COLLECTION = "notes"

Answer = Callable[[str, str], tuple[int, Any]]


@dataclass
class Recorded:
    """A server on loopback, and what it was asked: method, path and body."""

    url: str = ""
    asked: list[tuple[str, str, Any]] = field(default_factory=list)
    keys: set[str | None] = field(default_factory=set)


@contextmanager
def serving(answer: Answer) -> Iterator[Recorded]:
    """A server that answers a method and a path with a status and a result."""
    recorded = Recorded()

    class Handler(BaseHTTPRequestHandler):
        def handle_any(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            path = self.path.partition("?")[0]
            recorded.asked.append((self.command, path, json.loads(body) if body else None))
            recorded.keys.add(self.headers.get("api-key"))
            status, result = answer(self.command, path)
            data = json.dumps({"result": result, "status": "ok", "time": 0.0}).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_PUT = do_POST = do_DELETE = handle_any  # noqa: N815 - so it is called

        def log_message(self, *_: object) -> None:
            """Nothing is printed."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        recorded.url = f"http://127.0.0.1:{server.server_port}"
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield recorded
        finally:
            server.shutdown()
            thread.join()


def qdrant(method: str, path: str) -> tuple[int, Any]:
    """A server on which an index was built before, and a build was killed."""
    if (method, path) == ("GET", "/aliases"):
        return 200, {"aliases": [{"alias_name": COLLECTION, "collection_name": f"{COLLECTION}-00000001"}]}
    if (method, path) == ("GET", "/collections"):
        names = ("other", f"{COLLECTION}-mine", f"{COLLECTION}-00000001", f"{COLLECTION}-00000002")
        return 200, {"collections": [{"name": name} for name in names]}
    if path.endswith(("/points", "/index")) and method == "PUT":
        return 200, {"operation_id": 1, "status": "completed"}
    return 200, True


def test_the_client_is_loaded_when_it_is_used() -> None:
    """It takes long to import."""
    script = (
        "import sys; from pipeline.adapters.index.server.store import ServerStore; ServerStore('http://x', 'k', 'c');"
        "assert 'qdrant_client' not in sys.modules and 'httpx' not in sys.modules"
    )
    assert 0 == subprocess.run([sys.executable, "-c", script], check=False).returncode


def test_a_build_gets_the_name_in_one_step() -> None:
    """Nobody sees the moment between the old collection and the new one; what earlier builds left is removed."""
    with serving(qdrant) as server:
        store = ServerStore(server.url, KEY, COLLECTION)
        with store.building(LAYOUT) as index:
            index.upsert([IndexPoint(named(1), {"kind": "ż"}, {"words": terms(7)}, EAST)])
    assert {KEY} == server.keys
    changes = [(method, path, body) for method, path, body in server.asked if method != "GET"]
    new = changes[1][1].removeprefix("/collections/")
    assert ("DELETE", f"/collections/{COLLECTION}-00000002", None) == changes[0]
    assert {"words": {"modifier": "idf"}, "context": {"modifier": "idf"}} == changes[1][2]["sparse_vectors"]
    indexes = [(body["field_name"], body["field_schema"]) for _, path, body in changes if path.endswith("/index")]
    assert [("kind", "keyword"), ("tags", "keyword"), ("day", "integer")] == indexes
    (put,) = (body["points"] for _, path, body in changes if path == f"/collections/{new}/points")
    expected = {"words": {"indices": [7], "values": [1.0]}, "dense": [1.0, 0.0, 0.0]}
    assert [{"id": named(1), "vector": expected, "payload": {"kind": "ż"}}] == put
    (switch,) = (body["actions"] for _, path, body in changes if path == "/collections/aliases")
    assert [
        {"delete_alias": {"alias_name": COLLECTION}},
        {"create_alias": {"collection_name": new, "alias_name": COLLECTION}},
    ] == switch
    # The server told the old state all along, so the new collection is taken for a left-over too.
    removed = {path for method, path, _ in changes if method == "DELETE"}
    assert f"/collections/{COLLECTION}-mine" not in removed
    assert "/collections/other" not in removed


def test_nothing_is_asked_before_it_is_needed() -> None:
    """A store is made from settings, and may never be used."""
    with serving(qdrant) as server:
        assert ServerStore(server.url, KEY, COLLECTION).name
    assert [] == server.asked


def ways_in(store: ServerStore) -> list[Callable[[], object]]:
    """Everything that a store can be asked for."""
    return [
        lambda: store.reading().__enter__(),
        lambda: store.writing().__enter__(),
        lambda: store.building(LAYOUT).__enter__(),
        store.drop,
    ]


def refused(store: ServerStore, expected: str, url: str) -> None:
    """Every way in raises an error that names the server and says `expected`, and never the key."""
    for way_in in ways_in(store):
        with pytest.raises(IndexUnavailable, match=expected) as caught:
            way_in()
        assert url in str(caught.value)
        assert "index.url" in str(caught.value)
        assert KEY not in str(caught.value)


def test_a_server_that_is_not_there_is_named() -> None:
    """Nobody listens at its address."""
    with serving(qdrant) as server:
        url = server.url
    refused(ServerStore(url, KEY, COLLECTION), r"does not answer \(.*refused", url)


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_is_reported(status: int) -> None:
    """The sentence says so, and does not tell the key."""
    with serving(lambda _method, _path: (status, None)) as server:
        refused(ServerStore(server.url, KEY, COLLECTION), f"refuses the key \\({status}", server.url)


@pytest.mark.parametrize("status", [404, 500, 503])
def test_a_server_that_fails_is_reported(status: int) -> None:
    """With what it answered."""
    with serving(lambda _method, _path: (status, None)) as server:
        refused(ServerStore(server.url, KEY, COLLECTION), f"does not do what it is asked for \\({status}", server.url)


def test_an_answer_of_another_server_is_reported() -> None:
    """Something else listens there."""
    with serving(lambda _method, _path: (200, ["hello"])) as server:
        refused(ServerStore(server.url, KEY, COLLECTION), "the server at", server.url)


def test_a_slow_server_is_not_waited_for() -> None:
    """Longer than the timeout."""
    done = Event()

    def slow(_method: str, _path: str) -> tuple[int, Any]:
        done.wait(30)
        return 200, True

    with serving(slow) as server:
        store = ServerStore(server.url, KEY, COLLECTION, timeout=1)
        with pytest.raises(IndexUnavailable, match="timed out") as caught, store.reading():
            pass
        done.set()
    assert server.url in str(caught.value)


def test_what_is_secret_in_an_address_is_not_reported() -> None:
    """Some people put a password there."""
    with serving(qdrant) as server:
        address = server.url
    with pytest.raises(IndexUnavailable) as caught:
        ServerStore(address.replace("://", f"://me:{KEY}@"), "", COLLECTION).drop()
    assert address in str(caught.value)
    assert KEY not in str(caught.value)


def test_a_failed_build_is_removed(tmp_path: Path) -> None:
    """The server keeps the old collection alone, and other names are left as they are."""
    stored = Stored(ServerStore.local(tmp_path), [IndexPoint(named(1))])
    with pytest.raises(ZeroDivisionError), stored.store.building(LAYOUT):
        raise ZeroDivisionError
    meta = json.loads((tmp_path / "meta.json").read_text())
    assert [*meta["collections"]] == [*meta["aliases"].values()]


def test_many_points_go_in_several_requests() -> None:
    """All of them arrive; a server refuses a request of more than 32 MB."""
    with serving(qdrant) as server, ServerStore(server.url, KEY, COLLECTION).writing() as index:
        index.upsert([IndexPoint(named(number)) for number in range(1, 501)])
    sizes = [len(body["points"]) for method, path, body in server.asked if method == "PUT" and path.endswith("/points")]
    assert [200, 200, 100] == sizes
