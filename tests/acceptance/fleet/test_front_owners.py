"""Owners at one front: none gets a byte of another, whatever it guesses, swaps or keeps."""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from http import HTTPStatus
from pathlib import Path
from select import select
from urllib.parse import urlsplit

import pytest
from fastapi.routing import iter_route_contexts

from pipeline.errors.fleet import FolderLeadsOut
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.folders import add_folder
from pipeline.fleet.machine import Machine
from pipeline.fleet.manifest import read_manifest
from pipeline.fleet.tokens import BROWSERS, NewToken, add_token, revoke_token
from pipeline.fleet.workspaces import find_workspace, remove_workspace
from pipeline.process.context import ProcessContext
from pipeline.settings.load import load_settings
from pipeline.surfaces.fleet.routes import ROUTES
from pipeline.surfaces.http.application import API
from tests.fleet.conftest import NOON, added
from tests.fleet.fronts import SETTINGS, ServedFleet, put, served_front
from tests.support.ports.clock import FixedClock
from tests.support.tables import table
from tests.support.workspaces.served_demo import ServedWorkspace

SECRET = "xylotoma"  # noqa: S105 - a word that one owner has
TRANSCRIPTS = "/api/v1/transcripts"
OPEN = ("/static/", "/sign-", "/language")
"""The documents and forms of a front that are no memory."""


@pytest.fixture
def front(database: FleetDatabase, clock: FixedClock, tmp_path: Path) -> Iterator[ServedFleet]:
    """A front of two owners, of whom Anna has a secret."""
    for name, word in (("anna", SECRET), ("ben", "walrus")):
        put(database, name, tmp_path / name, word)
    with served_front(database, tmp_path / "front", clock) as served:
        yield served


def documents_and_forms() -> set[tuple[str, str]]:
    """The methods and paths of all documents and forms below a workspace."""
    pages = (page for page in iter_route_contexts(ROUTES.routes) if page.path and not page.path.startswith(API))
    return {(method, page.path or "") for page in pages for method in page.methods or ()}


def acts(front: ServedFleet) -> int:
    """The number of acts that were asked for."""
    with front.database.transaction() as connection:
        ((number,),) = connection.execute("SELECT count(*) FROM act").fetchall()
    return int(number)


def by(token: str) -> dict[str, str]:
    """The header with a token."""
    return {"authorization": f"Bearer {token}"}


def test_a_token_of_another_owner(front: ServedFleet) -> None:
    """It is as good as none; a name that nobody has is answered as one that somebody has."""
    anna, ben = front.owner("anna"), front.owner("ben")
    nobody = ServedWorkspace(ben.root, f"{front.address}/w/nobody", ben.person, ben.agent)
    paths = ("/api/v1/entries", "/api/v1/search?query=word", "/files", "/openapi.json", "/mcp", "/sign-in", "/", "/x")
    for path in paths:
        for token in (ben.person, ben.agent, "", "mem_guess"):
            for accept in ("text/html", "*/*"):
                there, not_there = (
                    (answer.status, answer.body.replace(b"/w/nobody", b"/w/anna"))
                    for answer in (one.ask(path, accept=accept, **by(token)) for one in (anna, nobody))
                )
                assert there == not_there
                assert SECRET.encode() not in there[1]
    assert 200 == ben.ask("/api/v1/entries").status


def test_paths_that_lead_to_another_owner(front: ServedFleet) -> None:
    """Nothing of Anna's is at any address below Ben's."""
    anna, ben = front.owner("anna"), front.owner("ben")
    assert SECRET in anna.ask("/files/memory/mine.md", accept="text/html").body.decode()
    up = ["..", "%2e%2e", "..%2f..", "%2e%2e/%2e%2e", ".%2e", "....//"]
    ways = [f"/{dots}/anna/{rest}" for dots in up for rest in ("api/v1/search?query=word", "files/memory/mine.md")]
    ways += [f"/files/{dots}/{anna.root.name}/memory/mine.md" for dots in up]
    ways += [f"/files/{anna.root}/memory/mine.md", f"/files/%2F{str(anna.root)[1:]}/memory/mine.md"]
    for way in (*ways, "/../../w/anna/files/memory/mine.md", "//w/anna/files/memory/mine.md", "/w/anna/api/v1/entries"):
        answer = ben.ask(way, accept="text/html")
        assert SECRET not in answer.body.decode(), way


def test_hashes_and_names_that_are_guessed(front: ServedFleet) -> None:
    """No piece, act, session or stored text of Anna's is there for Ben, under whatever name."""
    anna, ben = front.owner("anna"), front.owner("ben")
    with front.database.transaction() as connection:
        owner = find_workspace(connection, "anna")
        pieces = [name for file in read_manifest(connection, owner.id, 1).values() for name in file.pieces]
    assert 202 == anna.ask("/api/v1/forget", "POST", {"id": SECRET}).status
    kept = anna.ask("/api/v1/memories", "POST", {"content": f"{SECRET} " * 900}).value["key"]
    anna.ask("/api/v1/sessions", "POST", {"session_id": SECRET})
    anna.ask(f"/api/v1/sessions/{SECRET}/messages", "POST", [{"role": "user", "text": SECRET}])
    for place in (*pieces, "acts/1", f"memories/{kept}", f"sessions/{SECRET}", f"sessions/{SECRET}/export"):
        answer = ben.ask(f"/api/v1/{place}")
        assert 404 == answer.status, place
    assert [200] * 3 == [
        anna.ask(f"/api/v1/{place}").status for place in ("acts/1", f"memories/{kept}", f"sessions/{SECRET}")
    ]


def test_a_name_that_is_added_again(front: ServedFleet, tmp_path: Path) -> None:
    """It is another workspace: the old token opens nothing, and nothing of the first one is left to find."""
    anna = front.owner("anna")
    assert SECRET in anna.ask("/files/memory/mine.md", accept="text/html").body.decode()
    with front.database.transaction() as connection:
        remove_workspace(connection, find_workspace(connection, "anna").id)
    assert 401 == anna.ask("/api/v1/entries").status
    put(front.database, "anna", tmp_path / "again", "otter")
    assert 401 == anna.ask("/api/v1/entries").status
    again = front.owner("anna")
    assert again.root != anna.root
    page = again.ask("/files/memory/mine.md", accept="text/html").body.decode()
    assert (True, False) == ("otter" in page, SECRET in page)
    assert SECRET not in str(again.ask(f"/api/v1/search?query={SECRET}").value["hits"])


def test_a_token_that_is_revoked_while_a_body_comes_in(front: ServedFleet) -> None:
    """Nothing is done."""
    anna = front.owner("anna")
    body = json.dumps({"id": "x"}).encode()
    place = urlsplit(anna.address)
    head = (
        f"POST {place.path}/api/v1/forget HTTP/1.1\r\nHost: {place.netloc}\r\nAuthorization: Bearer {anna.person}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nExpect: 100-continue\r\n\r\n"
    )
    with socket.create_connection((place.hostname, place.port), timeout=60) as line:
        line.sendall(head.encode())
        assert b"HTTP/1.1 100" == line.recv(1000)[:12]  # so it has been let in
        with front.database.transaction() as connection:
            revoke_token(connection, find_workspace(connection, "anna"), "anna")
        line.sendall(body)
        answer = line.recv(10_000).decode()
    assert "HTTP/1.1 401" == answer[:12]
    with front.database.transaction() as connection:
        assert (0,) == connection.execute("SELECT count(*) FROM act").fetchone()


def test_large_bodies_that_never_end(front: ServedFleet) -> None:
    """An owner has one of them at most, and keeps nobody else from sending a long text."""
    anna, ben = front.owner("anna"), front.owner("ben")
    place = urlsplit(anna.address)
    head = (
        f"POST {place.path}/api/v1/memories HTTP/1.1\r\nHost: {place.netloc}\r\nAuthorization: Bearer {anna.person}\r\n"
        f"Content-Type: application/json\r\nContent-Length: 3000000\r\n\r\n"
    )
    with ExitStack() as stack:
        lines = [
            stack.enter_context(socket.create_connection((place.hostname, place.port), timeout=60)) for _ in range(2)
        ]
        for line in lines:
            line.sendall(head.encode() + b'{"content": "' + b"x" * 1_200_000)
        assert [b"HTTP/1.1 429"] == [line.recv(12) for line in select(lines, [], [])[0]]
        assert 200 == ben.ask("/api/v1/memories", "POST", {"content": "long " * 300_000}).status


def test_browsers_of_an_owner(front: ServedFleet, clock: FixedClock) -> None:
    """The one that signed in longest ago is signed out when there are too many, and no token that lasts is."""
    anna = front.owner("anna")
    form = {"authorization": "", "content_type": "application/x-www-form-urlencoded"}
    cookies = list[str]()
    for _ in range(BROWSERS + 1):
        entered = anna.ask("/sign-in", "POST", f"token={anna.person}".encode(), **form)
        cookies.append(entered.headers["set-cookie"].partition(";")[0])
        clock.move(timedelta(seconds=1))
    answers = [anna.ask("/entries", accept="text/html", authorization="", cookie=cookie).status for cookie in cookies]
    assert [303, *[200] * BROWSERS] == answers
    assert 200 == anna.ask("/api/v1/entries").status


def test_operators_and_owners(front: ServedFleet) -> None:
    """The operator's token opens no workspace, and the owner's not the operator's page; neither has the words."""
    anna = front.owner("anna")
    with front.database.transaction() as connection:
        operator = add_token(connection, None, NewToken("anna"), NOON)
    assert 401 == anna.ask("/api/v1/entries", **by(operator)).status
    root = ServedWorkspace(anna.root, front.address, anna.person, anna.agent)
    assert 303 == root.ask("/", accept="text/html").status
    page = root.ask("/", accept="text/html", **by(operator))
    assert (200, False) == (page.status, SECRET.encode() in page.body)
    assert 404 == root.ask("/api/v1/entries", **by(operator)).status


def test_an_agent_is_no_person(front: ServedFleet) -> None:
    """It reads, and asks for nothing that only a person may do."""
    anna = front.owner("anna")
    agent = by(anna.agent)
    assert 200 == anna.ask("/api/v1/entries", **agent).status
    for path, body in (
        ("forget", {"id": "x"}),
        ("corrections", {"id": "x", "words": "y"}),
        ("suggestions/x", {"decision": "accept"}),
        ("backfills", {"first": "2026-03-01", "last": "2026-03-02"}),
        ("runs/x/undo", {}),
    ):
        assert 403 == anna.ask(f"/api/v1/{path}", "POST", body, **agent).status
    assert 404 == anna.ask("/api/v1/acts/1", **agent).status
    documents = {(method, path) for method, path in documents_and_forms() if not path.startswith(OPEN)}
    assert {
        ("POST", "/agents/{name}/pin"),
        ("POST", "/inbox/{suggestion_id}"),
        ("POST", "/forget/topic"),
        ("GET", "/acts/{number}"),
    } <= documents
    form = {"content_type": "application/x-www-form-urlencoded", "accept": "text/html", **agent}
    statuses = {(method, path): anna.ask(path, method, **form).status for method, path in documents}
    assert {403} == {*statuses.values()}, statuses
    assert acts(front) == 0


def test_forms_of_other_pages(front: ServedFleet) -> None:
    """A browser that is signed in sends none for them: no form of a front asks for an act by another origin."""
    anna = front.owner("anna")
    form = {"content_type": "application/x-www-form-urlencoded", "accept": "text/html"}
    forms = [path for method, path in documents_and_forms() if method == "POST"]
    assert len(forms) > 12
    for path in forms:
        for headers in ({"origin": "https://evil.example"}, {"sec_fetch_site": "cross-site"}):
            assert 403 == anna.ask(path, "POST", b"decision=accept&typed=forget&seen=0", **form, **headers).status, path
    assert acts(front) == 0


def test_forms_without_a_digest(front: ServedFleet, demo: Path) -> None:
    """A form asks for nothing without that of what was shown, or with a guessed one."""
    add_folder(front.database, "eve", demo, ProcessContext({}, FixedClock(NOON)))
    eve = front.owner("eve")
    [suggestion, *_] = eve.ask("/api/v1/suggestions").value
    [entry, *_] = eve.ask("/api/v1/entries").value
    known = ((f"inbox/{suggestion['id']}", "decision=accept"), (f"forget/{entry['id']}", "typed=forget"))
    form = {"content_type": "application/x-www-form-urlencoded", "accept": "text/html"}
    for path, fields in (
        *known,
        ("forget/topic", "typed=forget&topic=Hania"),
        ("entities/merge", "name=Hania&other=Lucjana"),
    ):
        for seen, status in (("", 422), ("&seen=0", 409)):
            assert status == eve.ask(f"/{path}", "POST", f"{fields}{seen}".encode(), **form).status, path
    assert acts(front) == 0


def test_suggestions_of_another_owner(front: ServedFleet, demo: Path) -> None:
    """Two owners have one of the same id: who decides about theirs decides about no other."""
    for name in ("eve", "dan"):
        add_folder(front.database, name, demo, ProcessContext({}, FixedClock(NOON)))
    eve, dan = front.owner("eve"), front.owner("dan")
    [suggestion, *_] = eve.ask("/api/v1/suggestions").value
    place = f"/api/v1/suggestions/{suggestion['id']}"
    assert 401 == eve.ask(place, "POST", {"decision": "decline"}, **by(dan.person)).status
    assert 202 == dan.ask(place, "POST", {"decision": "decline"}).status
    waiting = [[one["id"] for one in owner.ask("/api/v1/suggestions").value] for owner in (eve, dan)]
    assert [True, False] == [suggestion["id"] in ids for ids in waiting]
    assert (404, 200) == (eve.ask("/api/v1/acts/1").status, dan.ask("/api/v1/acts/1").status)
    assert 404 == eve.ask("/acts/1", accept="text/html").status


def test_a_laptop_ships_alone(front: ServedFleet) -> None:
    """Its token opens no other route, page or file, and signs no browser in."""
    anna = front.owner("anna")
    with front.database.transaction() as connection:
        owner = find_workspace(connection, "anna")
        laptop = add_token(connection, owner, NewToken("laptop", laptop=True), NOON)
    described = anna.ask("/openapi.json").value["paths"]
    routes = {(method.upper(), path) for path, methods in described.items() for method in methods}
    routes |= documents_and_forms()
    assert len(routes) > 60
    statuses = {(method, path): anna.ask(path, method, **by(laptop)).status for method, path in routes}
    ships = {(method, TRANSCRIPTS) for method in ("GET", "POST")}
    assert ships == {route for route, status in statuses.items() if status != HTTPStatus.FORBIDDEN}
    assert 200 == anna.ask(TRANSCRIPTS, **by(laptop)).status
    assert 403 == anna.ask("/mcp", "POST", {}, **by(laptop)).status
    form = {"authorization": "", "content_type": "application/x-www-form-urlencoded"}
    assert 401 == anna.ask("/sign-in", "POST", f"token={laptop}".encode(), **form).status


def test_what_writes_files_is_not_there(front: ServedFleet) -> None:
    """No route at a front writes into the cache."""
    anna = front.owner("anna")
    anna.ask("/api/v1/entries")
    before = (anna.root / "memory" / "mine.md").read_bytes()
    for page in ("/settings/change", "/work/run", "/connections/codex/connect"):
        assert anna.ask(page, "POST", b"", content_type="application/x-www-form-urlencoded").status in {404, 405}
    assert before == (anna.root / "memory" / "mine.md").read_bytes()


def test_nothing_of_the_machine(front: ServedFleet) -> None:
    """No address of the description tells where the cache is, who runs the front, or where its database is."""
    anna = front.owner("anna")
    description = anna.ask("/openapi.json").value
    assert [{"url": "/w/anna"}] == description["servers"]
    paths = [path for path, methods in description["paths"].items() if "get" in methods and "{" not in path]
    pages = [
        "/",
        "/entries",
        "/entities",
        "/beliefs",
        "/graph",
        "/files",
        "/memory",
        "/conversations",
        "/details",
        "/docs",
        "/search?query=word",
    ]
    secrets = (str(front.cache), front.database.url, str(Path.home()))
    for path in (*paths, *pages):
        answer = anna.ask(path, accept="text/html, */*")
        assert answer.status < 500, path
        text = answer.body.decode()
        assert not [secret for secret in secrets if secret in text], path
        assert not [
            word for word in ('href="/', 'action="/', 'src="/') if word in text.replace(f"{word}w/anna/", "")
        ], path


def test_errors_tell_nothing_of_the_machine(front: ServedFleet) -> None:
    """Not those of a workspace that has no settings yet."""
    added(front.database, "eve")
    for accept in ("text/html", "*/*"):
        answer = front.owner("eve").ask("/api/v1/entries", accept=accept)
        assert (409, True) == (answer.status, "memory.toml" in answer.body.decode())
        assert str(front.cache) not in answer.body.decode()


@table(
    "settings",
    [
        '[[sources]]\nkind = "openclaw"\npath = "/etc"\n',
        '[model]\nprogram = "claude"\n',
        '[index]\nurl = "http://127.0.0.1:9"\n',
        '[pings]\nurl = "http://127.0.0.1:9/x"\n',
        '[service]\nmetrics_file = "/srv/x.prom"\n',
    ],
)
def test_settings_that_lead_out(front: ServedFleet, tmp_path: Path, settings: str) -> None:
    """No folder, program or server that an owner names is used: a workspace with such a setting is not added."""
    with pytest.raises(FolderLeadsOut):
        put(front.database, "eve", tmp_path / "eve", "x", f"{SETTINGS}\n{settings}")


def test_servers_on_the_machine(front: ServedFleet, tmp_path: Path) -> None:
    """A server on the loopback of a machine of the fleet is not the owner's."""
    server = 'base_url = "http://127.0.0.1:9/v1"\nname = "m"\n'
    put(front.database, "eve", tmp_path / "eve", "x", f"{SETTINGS}\n[model]\n{server}")
    machine = Machine(front.database, tmp_path / "machine", ProcessContext({}, FixedClock(NOON)))
    with front.database.transaction() as connection:
        checkout = machine.fill_newest(find_workspace(connection, "eve"))
    settings = load_settings(machine.root_of(checkout), machine.context_of(checkout).environment)
    assert ("", "") == (settings.model.base_url, settings.model.name)
