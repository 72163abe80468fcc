"""The page at a front: what it shows there can be used there, and its forms ask for acts."""

import re
from collections.abc import Callable, Iterator
from html import unescape
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlencode

import pytest

from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.folders import add_folder
from pipeline.fleet.machine import Machine
from pipeline.process.context import ProcessContext
from tests.fleet.conftest import NOON
from tests.fleet.fronts import ServedFleet, served_front
from tests.fleet.working import WORDS, drain, new_workspace
from tests.support.ports.clock import FixedClock
from tests.support.workspaces.served_demo import HttpAnswer, ServedWorkspace

_LINK = re.compile(r'<(?!form)[^>]*(?:href|hx-get|hx-post)="/w/anna(/[^"#]*)')
_FORM = re.compile(r'<form[^>]*action="/w/anna(/[^"]*)" method="post"')
_NOT_THERE = {HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED}
_FIRST = ("/entries", "/search?query=road", "/conversations/s1")


@pytest.fixture
def front(database: FleetDatabase, clock: FixedClock, tmp_path: Path) -> Iterator[ServedFleet]:
    """A front."""
    with served_front(database, tmp_path / "front", clock) as served:
        yield served


def sent(owner: ServedWorkspace, path: str, **fields: str) -> HttpAnswer:
    """The answer to a form, as a browser gets it."""
    form = "application/x-www-form-urlencoded"
    return owner.ask(path, "POST", urlencode(fields).encode(), content_type=form, accept="text/html")


def seen_at(owner: ServedWorkspace, path: str) -> str:
    """The digest in the form of a document."""
    match = re.search('name="seen" value="([^"]*)"', owner.ask(path, accept="text/html").body.decode())
    return match[1] if match else ""


def test_every_form_and_link_is_answered(front: ServedFleet, demo: Path) -> None:
    """Nobody types words that are thrown away, or is led to where nothing is."""
    add_folder(front.database, "anna", demo, ProcessContext({}, FixedClock(NOON)))
    anna, refused = front.owner("anna"), list[str]()
    anna.ask("/api/v1/sessions", "POST", {"session_id": "s1"})
    anna.ask("/api/v1/memories", "POST", {"content": "word " * 2_000})
    left, known = [*_FIRST], set[str]()

    def is_new(address: str) -> bool:
        """Whether no address of this shape was asked for: there are hundreds."""
        before = len(known)
        known.add(re.sub("(?<=.)/[^?]+", "/", address).partition("=")[0])
        return len(known) > before

    while left:
        answer = anna.ask(path := left.pop(), accept="text/html")
        text = answer.body.decode() if answer.headers.get("content-type", "").startswith("text/html") else ""
        forms = {f"form {unescape(address)}" for address in _FORM.findall(text)}
        statuses = {form: sent(anna, form.removeprefix("form ")).status for form in forms if is_new(form)}
        refused += [f"{form}: {status}" for form, status in statuses.items() if status in _NOT_THERE]
        refused += [f"{path}: {answer.status}"] if answer.status >= HTTPStatus.BAD_REQUEST else []
        left += [address for address in map(unescape, _LINK.findall(text)) if is_new(address)]
    assert [] == refused
    assert len(known) > 30


def test_forms_ask_for_acts(
    front: ServedFleet, new_machine: Callable[[], Machine], database: FleetDatabase, tmp_path: Path
) -> None:
    """The person is led to the act, and reads there what became of it."""
    new_workspace(database, "anna", tmp_path, NOON)
    worker, anna = new_machine(), front.owner("anna")
    drain(worker)
    name = next(entry["id"] for entry in anna.ask("/api/v1/entries").value if "sauna" in str(entry))
    seen = seen_at(anna, f"/correct/{name}")
    asked = sent(anna, f"/correct/{name}", seen=seen, text="The sauna is closed in june.")
    assert (303, "/w/anna/acts/1") == (asked.status, asked.headers["location"])
    assert "A worker carries it out" in anna.ask("/acts/1", accept="text/html").body.decode()
    for state, said in (("parked", "no worker takes this workspace now"), ("ready", "A worker carries it out")):
        with database.transaction() as connection:
            connection.execute("UPDATE workspace SET state = %s", [state])
        assert said in anna.ask("/acts/1", accept="text/html").body.decode()
    drain(worker)
    assert "It is done." in anna.ask("/acts/1", accept="text/html").body.decode()
    assert "june" in anna.ask("/api/v1/search?query=sauna").value["hits"][0]["snippet"]

    late = sent(anna, f"/correct/{name}", seen=seen, text="The sauna is closed in july.")
    assert (409, True) == (late.status, "closed in july" in late.body.decode())
    name = next(entry["id"] for entry in anna.ask("/api/v1/entries").value if "june" in str(entry))
    seen = seen_at(anna, f"/forget/{name}")
    assert 422 == sent(anna, f"/forget/{name}", seen=seen, typed="no").status
    assert "/w/anna/acts/2" == sent(anna, f"/forget/{name}", seen=seen, typed="forget").headers["location"]
    assert "/w/anna/acts/3" == sent(anna, f"/forget/{name}", seen=seen, typed="forget").headers["location"]
    drain(worker)
    documents = [anna.ask(f"/acts/{number}", accept="text/html").body.decode() for number in (2, 3)]
    assert [True, True] == ["It is done." in documents[0], "It was refused" in documents[1]]
    assert len(WORDS) - 1 == len(anna.ask("/api/v1/entries").value)
    assert 404 == anna.ask("/acts/4", accept="text/html").status
