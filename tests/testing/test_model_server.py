"""The scripted server behaves as its catalogue says; what a client makes of it is told in `test_model_openai`."""

import http.client
import json
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.support.servers import behaviours
from tests.support.servers.behaviours import Behaviour
from tests.support.servers.model_server import ScriptedServer

GOOD = {"candidates": [{"quote": "keep it", "quote_number": 3, "support_numbers": [1, 2]}]}


def ask(server: ScriptedServer, body: dict[str, Any] | None = None) -> tuple[int, str]:
    """Post a request by hand; the status and the body."""
    place = urlsplit(server.base_url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=60)
    payload = {"model": "m", "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": '"hello"'}]}
    try:
        connection.request("POST", f"{place.path}/chat/completions", json.dumps(payload | (body or {})))
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()


def answer(behaviour: Behaviour) -> Any:  # noqa: ANN401 - whatever JSON the behaviour makes
    """What the model says, decoded."""
    with ScriptedServer(behaviour) as server:
        _, body = ask(server)
    return json.loads(json.loads(body)["choices"][0]["message"]["content"])


def test_behaviours_follow_one_another() -> None:
    """One request, one behaviour; the last goes on."""
    with ScriptedServer(behaviours.rate_limited(), behaviours.failing(503), behaviours.saying("x")) as server:
        statuses = [ask(server)[0] for _ in range(4)]
    assert statuses == [429, 503, 200, 200]


def test_requests_are_recorded_without_the_key() -> None:
    """A test can look at the instructions, the form and the decoded input."""
    with ScriptedServer(behaviours.saying("x")) as server:
        ask(server)
    assert [(one.instructions, one.form, one.data, one.with_key) for one in server.requests] == [
        ("s", "text", "hello", False)
    ]


def test_an_answer_is_made_from_the_request() -> None:
    """The script sees what was asked."""
    assert answer(behaviours.answering(lambda request: {"echo": request.data})) == {"echo": "hello"}


def test_wrong_ids_are_all_wrong() -> None:
    """Every message number is one that does not exist; the rest stays."""
    changed = answer(behaviours.wrong_ids(lambda _request: GOOD))["candidates"][0]
    assert changed["quote"] == "keep it"
    assert min([changed["quote_number"], *changed["support_numbers"]]) > 1000


def test_invented_quotes_were_never_said() -> None:
    """Every quote is other words; the rest stays."""
    changed = answer(behaviours.invented_quotes(lambda _request: GOOD))["candidates"][0]
    assert (changed["quote"] != "keep it", changed["quote_number"]) == (True, 3)


def test_a_broken_off_answer_is_shorter_than_promised() -> None:
    """The client sees the connection close in the middle."""
    with ScriptedServer(behaviours.broken_off()) as server, pytest.raises(http.client.IncompleteRead):
        ask(server)


def test_a_hanging_server_lets_go_when_it_closes() -> None:
    """Nothing outlives the `with` statement."""
    with ScriptedServer(behaviours.hanging()) as server:
        place = urlsplit(server.base_url)
        connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=60)
        connection.request("POST", f"{place.path}/chat/completions", '{"messages": []}')
    with pytest.raises(ConnectionResetError):
        connection.getresponse()
    connection.close()


def test_another_path_gives_no_page() -> None:
    """A wrong `base_url` looks as it does elsewhere."""
    with ScriptedServer(behaviours.saying("x")) as server:
        place = urlsplit(server.base_url)
        connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=60)
        connection.request("POST", "/elsewhere", "{}")
        assert connection.getresponse().status == 404
        connection.close()
