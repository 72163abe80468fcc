"""What the contract does not say of the vectors on a server: what goes over the wire, and what goes wrong there."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from pipeline.adapters.index.server.store import ServerVectors
from pipeline.errors import IndexUnavailable
from pipeline.ports.index import VectorSpace
from tests.support.ports.vector_contract import EAST, SPACE, built, keyed, listed, named
from tests.support.tables import table

KEY = "s3cr3t-k3y-of-the-server"
COLLECTION = "notes"
THERE = f"{COLLECTION}-{sha256(b'3 an embedder').hexdigest()[:16]}-00000001"

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
    """A server with vectors of `SPACE`, an index of an earlier version, and what a killed build left."""
    if (method, path) == ("GET", "/aliases"):
        return 200, {"aliases": [{"alias_name": COLLECTION, "collection_name": THERE}]}
    if (method, path) == ("GET", "/collections"):
        names = ("other", f"{COLLECTION}-mine", THERE, f"{COLLECTION}-00000002", f"{THERE[:-1]}3")
        return 200, {"collections": [{"name": name} for name in names]}
    if path.endswith("/points") and method == "PUT":
        return 200, {"operation_id": 1, "status": "completed"}
    return 200, True


def test_the_client_is_loaded_when_it_is_used() -> None:
    """It takes long to import."""
    script = (
        "import sys; from pipeline.adapters.index.server.store import ServerVectors as V; V('http://x', 'k', 'c');"
        "assert 'qdrant_client' not in sys.modules and 'httpx' not in sys.modules"
    )
    assert 0 == subprocess.run([sys.executable, "-c", script], check=False).returncode


def test_a_build_gets_the_name_in_one_step() -> None:
    """Nobody sees the moment between the old collection and the new one; what earlier builds left is removed."""
    with serving(qdrant) as server:
        store = ServerVectors(server.url, KEY, COLLECTION)
        with store.building(SPACE) as index:
            index.put_vectors({named(1): EAST})
    assert {KEY} == server.keys
    changes = [(method, path, body) for method, path, body in server.asked if method != "GET"]
    left = {f"/collections/{COLLECTION}-00000002", f"/collections/{THERE[:-1]}3"}
    assert left == {path for method, path, _ in changes[:2] if method == "DELETE"}
    new = changes[2][1].removeprefix("/collections/")
    assert re.fullmatch(f"{THERE[:-8]}[0-9a-f]{{8}}", new)
    assert {"size": 3, "distance": "Cosine", "datatype": "float16"} == changes[2][2]["vectors"]
    (put,) = (body["points"] for _, path, body in changes if path == f"/collections/{new}/points")
    assert [{"id": named(1), "vector": [*EAST]}] == put
    (switch,) = (body["actions"] for _, path, body in changes if path == "/collections/aliases")
    assert [
        {"delete_alias": {"alias_name": COLLECTION}},
        {"create_alias": {"collection_name": new, "alias_name": COLLECTION}},
    ] == switch
    # The server told the old state all along, so the new collection is taken for a left-over too.
    removed = {path for method, path, _ in changes if method == "DELETE"}
    assert f"/collections/{COLLECTION}-mine" not in removed
    assert "/collections/other" not in removed


def test_what_stands_under_the_name_is_of_one_space() -> None:
    """What an earlier version left there is of none."""
    earlier = {"aliases": [{"alias_name": COLLECTION, "collection_name": f"{COLLECTION}-00000001"}]}
    with serving(qdrant) as server, serving(lambda *_: (200, earlier)) as old:
        for url, space, expected in (
            (server.url, SPACE, True),
            (server.url, VectorSpace("another embedder", 3), False),
            (server.url, VectorSpace("an embedder", 4), False),
            (old.url, SPACE, False),
        ):
            with ServerVectors(url, KEY, COLLECTION).reading(space) as index:
                assert expected == (index is not None), (url, space)


def test_nothing_is_asked_before_it_is_needed() -> None:
    """A store is made from settings, and may never be used."""
    with serving(qdrant) as server:
        assert ServerVectors(server.url, KEY, COLLECTION).name
    assert [] == server.asked


def ways_in(store: ServerVectors) -> list[Callable[[], object]]:
    """Everything that a store can be asked for."""
    return [
        lambda: store.reading(SPACE).__enter__(),
        lambda: store.writing(SPACE).__enter__(),
        lambda: store.building(SPACE).__enter__(),
        store.drop,
    ]


def refused(store: ServerVectors, expected: str, url: str) -> None:
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
    refused(ServerVectors(url, KEY, COLLECTION), r"does not answer \(.*refused", url)


@table("status", [401, 403])
def test_a_refused_key_is_reported(status: int) -> None:
    """The sentence says so, and does not tell the key."""
    with serving(lambda _method, _path: (status, None)) as server:
        refused(ServerVectors(server.url, KEY, COLLECTION), f"refuses the key \\({status}", server.url)


@table("status", [404, 500, 503])
def test_a_server_that_fails_is_reported(status: int) -> None:
    """With what it answered."""
    with serving(lambda _method, _path: (status, None)) as server:
        refused(ServerVectors(server.url, KEY, COLLECTION), f"does not do what it is asked for \\({status}", server.url)


def test_an_answer_of_another_server_is_reported() -> None:
    """Something else listens there."""
    with serving(lambda _method, _path: (200, ["hello"])) as server:
        refused(ServerVectors(server.url, KEY, COLLECTION), "the server at", server.url)


def test_a_slow_server_is_not_waited_for() -> None:
    """Longer than the timeout."""
    done = Event()

    def slow(_method: str, _path: str) -> tuple[int, Any]:
        done.wait(30)
        return 200, True

    with serving(slow) as server:
        store = ServerVectors(server.url, KEY, COLLECTION, timeout=1)
        with pytest.raises(IndexUnavailable, match="timed out") as caught, store.reading(SPACE):
            pass
        done.set()
    assert server.url in str(caught.value)


def test_what_is_secret_in_an_address_is_not_reported() -> None:
    """Some people put a password there."""
    with serving(qdrant) as server:
        address = server.url
    with pytest.raises(IndexUnavailable) as caught:
        ServerVectors(address.replace("://", f"://me:{KEY}@"), "", COLLECTION).drop()
    assert address in str(caught.value)
    assert KEY not in str(caught.value)


def test_a_failed_build_is_removed(tmp_path: Path) -> None:
    """The server keeps the old collection alone, and other names are left as they are."""
    store = built(ServerVectors.local(tmp_path), {1: EAST})
    with pytest.raises(ZeroDivisionError), store.building(SPACE):
        raise ZeroDivisionError
    meta = json.loads((tmp_path / "meta.json").read_text())
    assert [*meta["collections"]] == [*meta["aliases"].values()]
    assert [1] == listed(store)


def test_many_vectors_go_in_several_requests() -> None:
    """All of them arrive; a server refuses a request of more than 32 MB."""
    with serving(qdrant) as server, ServerVectors(server.url, KEY, COLLECTION).writing(SPACE) as index:
        index.put_vectors(keyed(dict.fromkeys(range(500), EAST)))
    sizes = [len(body["points"]) for method, path, body in server.asked if method == "PUT" and path.endswith("/points")]
    assert [200, 200, 100] == sizes
