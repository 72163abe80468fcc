"""The operator's view of a fleet: what is parked and why, what waits, and whether anybody works."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from pydantic import SecretStr

from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.machine import Machine
from pipeline.fleet.tokens import NewToken, add_token
from pipeline.fleet.worker_process import FleetPings, serve_worker
from pipeline.process.context import ProcessContext
from pipeline.service.monitoring.pings import Pings, PingTarget
from schemas.fleet_act import ForgetAct
from schemas.fleet_settings import FleetSettings
from tests.fleet.conftest import NOON, added
from tests.fleet.fronts import ServedFleet, served_front
from tests.fleet.working import asked, new_workspace
from tests.support.ports.clock import FixedClock
from tests.support.processes.waiting import soon
from tests.support.servers.ping_server import PingServer
from tests.support.servers.postgresql import PostgresServer
from tests.support.workspaces.served_demo import ServedWorkspace


@pytest.fixture
def front(database: FleetDatabase, clock: FixedClock, tmp_path: Path) -> Iterator[ServedFleet]:
    """A front."""
    with served_front(database, tmp_path / "front", clock) as served:
        yield served


@pytest.fixture
def operator(front: ServedFleet) -> ServedWorkspace:
    """The operator at it."""
    return operator_of(front, front.database)


def operator_of(front: ServedFleet, database: FleetDatabase) -> ServedWorkspace:
    """The operator at a front, with a new token in its database."""
    with database.transaction() as connection:
        token = add_token(connection, None, NewToken("watch"), NOON)
    return ServedWorkspace(front.cache, front.address, token, "")


def figures(operator: ServedWorkspace) -> dict[str, float]:
    """The metrics, without those of the process."""
    text = operator.ask("/metrics", authorization="").body.decode()
    samples = (sample for family in text_string_to_metric_families(text) for sample in family.samples)
    return {"/".join((one.name, *one.labels.values())): one.value for one in samples if "fleet" in one.name}


def test_troubles_and_figures(
    operator: ServedWorkspace, database: FleetDatabase, new_machine: Callable[[], Machine]
) -> None:
    """Each parked workspace with its error, and the acts that wait."""
    anna, ben = added(database, "anna"), added(database, "ben")
    asked(new_machine(), ben, ForgetAct(id="x"))
    with database.transaction() as connection:
        connection.execute("UPDATE workspace SET state = 'parked', failure = 'no <room>' WHERE id = %s", [anna.id])
    page = operator.ask("/", accept="text/html").body.decode()
    assert "no &lt;room&gt;" in page
    assert "Workspaces that need you" in page
    known = figures(operator)
    assert [1, 1, 1, 1, 1, 0] == [
        known[f"memory_fleet_{name}"]
        for name in (
            "workspaces/ready",
            "workspaces/parked",
            "workspaces_failing",
            "acts_waiting",
            "jobs_waiting",
            "workers",
        )
    ]


def test_spending(operator: ServedWorkspace, database: FleetDatabase) -> None:
    """The workspaces with the most tokens, and the tokens of all."""
    added(database, "anna"), added(database, "ben")
    assert "Tokens by workspace" not in operator.ask("/", accept="text/html").body.decode()
    with database.transaction() as connection:
        connection.execute("UPDATE workspace SET input_tokens = 12345, output_tokens = 7 WHERE name = 'ben'")
    page = operator.ask("/", accept="text/html").body.decode()
    assert '<bdi>ben</bdi></th><td class="number">12,345</td><td class="number">7</td>' in page
    assert "<bdi>anna" not in page
    assert [12345, 7] == [figures(operator)[f"memory_fleet_{name}_tokens"] for name in ("input", "output")]


def test_pings(database: FleetDatabase, clock: FixedClock) -> None:
    """Once a minute a worker tells the check how the fleet is, and which workspaces are parked.

    Also from the moment on at which the clock is set back.
    """
    second, back = timedelta(seconds=1), timedelta(days=-1)
    anna = added(database, "anna")
    with PingServer() as check, Pings(PingTarget(check.url), ProcessContext({}).emit, str) as pings:
        fleet_pings = FleetPings(database, clock, pings)
        for step, state in ((timedelta(), "ready"), (59 * second, "ready"), (second, "parked"), (back, "ready")):
            clock.move(step)
            with database.transaction() as connection:
                connection.execute("UPDATE workspace SET state = %s WHERE id = %s", [state, anna.id])
            fleet_pings.announce()
        assert soon(lambda: 3 == len(check.pings))
    assert ["/0", "/fail", "/0"] == check.paths
    assert "1 parked" in check.pings[1].body  # and no name of an owner


def test_a_worker_pings(database: FleetDatabase, clock: FixedClock, tmp_path: Path) -> None:
    """The check of the settings, before anything is due."""
    with PingServer() as check:
        url, cache = SecretStr(database.url), str(tmp_path / "worker")
        settings = FleetSettings(url=url, cache=cache, ping=SecretStr(check.url))
        serve_worker(database, settings, ProcessContext({}, clock), once=True)
    assert ["/0"] == check.paths


def test_health(operator: ServedWorkspace, database: FleetDatabase) -> None:
    """Without a worker the fleet is not ready; the front is live."""
    with database.transaction() as connection:
        connection.execute("INSERT INTO procrastinate_workers DEFAULT VALUES")
    assert 200 == operator.ask("/health/live", authorization="").status
    assert {"status": "ok", "reasons": []} == operator.ask("/health/ready", authorization="").value


def test_no_worker(operator: ServedWorkspace) -> None:
    """The reason is told."""
    answer = operator.ask("/health/ready", authorization="")
    assert (503, True) == (answer.status, "no worker" in answer.value["reasons"][0])


def test_a_database_that_is_away(
    database: FleetDatabase, postgres: PostgresServer, clock: FixedClock, tmp_path: Path
) -> None:
    """A sentence for health, and for whoever calls; afterwards all goes on."""
    with (
        FleetDatabase(database.url, wait=0.5) as impatient,
        served_front(impatient, tmp_path / "other", clock) as front,
    ):
        operator = operator_of(front, database)
        postgres.stop()
        try:
            answer = operator.ask("/health/ready", authorization="")
            assert (503, True) == (answer.status, "does not answer" in answer.value["reasons"][0])
            assert {"memory_fleet_ready": 0} == figures(operator)
            form = {"authorization": "", "content_type": "application/x-www-form-urlencoded"}
            for answer in (
                operator.ask("/w/anna/api/v1/entries"),
                operator.ask("/w/anna/sign-in", "POST", f"token={operator.person}".encode(), **form),
                operator.ask("/sign-in", "POST", f"token={operator.person}".encode(), **form),
            ):
                assert (503, False) == (answer.status, b"connect" in answer.body)
        finally:
            postgres.start()
        assert soon(lambda: 200 == operator.ask("/", accept="text/html").status)


def test_signing_in(operator: ServedWorkspace, database: FleetDatabase, tmp_path: Path) -> None:
    """With the operator's token, and with that of an owner below the workspace; the browser gets a token of its own."""
    anna = new_workspace(database, "anna", tmp_path, NOON)
    with database.transaction() as connection:
        token = add_token(connection, anna, NewToken("laptop"), NOON)
        agent = add_token(connection, anna, NewToken("bot", agent="main"), NOON)
    form = {"authorization": "", "content_type": "application/x-www-form-urlencoded"}
    for below, good, others in (("", operator.person, (token, "x")), ("/w/anna", token, (operator.person, agent, "x"))):
        for other in others:
            refused = operator.ask(f"{below}/sign-in", "POST", f"token={other}".encode(), **form)
            assert (401, False) == (refused.status, "set-cookie" in refused.headers)
        assert f'action="{below}/sign-in"' in operator.ask(f"{below}/sign-in", accept="text/html", **form).body.decode()
        entered = operator.ask(f"{below}/sign-in", "POST", f"token={good}".encode(), **form)
        assert (303, f"{below}/") == (entered.status, entered.headers["location"])
        cookie = entered.headers["set-cookie"]
        assert f"Path={below}/;" in cookie
        assert "HttpOnly" in cookie
        assert good not in cookie
        named = {"cookie": cookie.partition(";")[0], "authorization": "", "sec_fetch_site": "same-origin"}
        inside = f"{below}/entries" if below else "/"
        assert 200 == operator.ask(inside, accept="text/html", **named).status
        assert 303 == operator.ask(f"{below}/sign-out", "POST", b"", authorization=f"Bearer {good}").status
        assert 200 == operator.ask(inside, accept="text/html", authorization=f"Bearer {good}").status
        left = operator.ask(f"{below}/sign-out", "POST", b"", **named)
        assert (303, f"{below}/sign-in") == (left.status, left.headers["location"])
        assert 303 == operator.ask(inside, accept="text/html", **named).status
