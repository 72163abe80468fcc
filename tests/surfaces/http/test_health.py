"""Health and metrics over real HTTP: who is answered, what, and from where."""

import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread
from typing import cast
from urllib.parse import urlsplit

import pytest
from prometheus_client.parser import text_string_to_metric_families

from pipeline.errors import LedgerDamaged, SettingsInvalid
from pipeline.errors.service import CannotListen
from pipeline.process.context import ProcessContext
from pipeline.service.monitoring.health import HealthPages, HealthSource
from pipeline.service.monitoring.snapshot import JobFigures, Snapshot
from pipeline.service.processes.children import Children
from pipeline.service.processes.work import WorkProcesses
from pipeline.service.socket.answers import ServiceAnswers
from pipeline.service.web.server import LONGEST_SECONDS, WebServer
from pipeline.settings.load import parse_settings
from pipeline.store.opening import WorkspaceStore
from pipeline.surfaces.http.application import make_api
from pipeline.surfaces.http.security.guard import Guard
from pipeline.surfaces.http.security.rules import Rules
from pipeline.surfaces.http.state import HttpState
from schemas.service_settings import host_and_port
from schemas.service_state import JobState, Parked, ServiceState
from schemas.store_settings import StoreSettings
from tests.support.servers.loopback import held_port
from tests.support.tables import table

NOW = datetime(2026, 3, 4, 11, tzinfo=UTC)
STATE = ServiceState(pid=1, host="h", version="1.0", started=NOW, alive=NOW)
DAMAGED = LedgerDamaged(".memory/state.db", "file is not a database")
HERE = "127.0.0.1:0"
PATIENCE = 60.0
"""Seconds after which a test fails instead of waiting on."""
PATHS = ("/metrics", "/health/live", "/health/ready")


@dataclass
class Service:
    """A service to look at, which can be broken in each way. `looks` counts the snapshots that were taken."""

    jobs: dict[str, JobState] = field(default_factory=lambda: {"note": JobState()})
    broken: bool = False
    stands: float = 0.0
    now: float = 1_000.0
    looks: int = 0

    def snapshot(self) -> Snapshot:
        """A look, if the ledger lets it."""
        self.looks += 1
        if self.broken:
            raise DAMAGED
        return Snapshot(NOW, STATE.model_copy(update={"jobs": self.jobs}), {"note": JobFigures(due=self.looks)})

    @property
    def watched(self) -> HealthSource:
        """Itself, as it is shown."""
        return HealthSource(
            lambda: self.now - self.stands, self.snapshot, stuck=60, fresh=15, stopwatch=lambda: self.now
        )


def served(where: str, source: HealthSource, longest: float = LONGEST_SECONDS) -> WebServer:
    """The server of a service of which nobody asks anything else."""
    host = host_and_port(where)[0] if where else ""

    nowhere = Path("nowhere")
    store = WorkspaceStore(nowhere, StoreSettings())
    work = WorkProcesses(nowhere, Children(nowhere, {}, timedelta()))
    nothing = cast(ServiceAnswers, None)
    state = HttpState(nowhere, ProcessContext({}), HealthPages(source), nothing, "1.0", store, work)
    return WebServer(where, Guard(make_api(state, {}), Rules(host or "127.0.0.1", (), lambda _: None)), longest)


@dataclass(frozen=True)
class HealthReply:
    """What came back."""

    status: int
    body: str
    headers: dict[str, str]

    @property
    def json_body(self) -> object:
        """The body as JSON."""
        return json.loads(self.body)


@contextmanager
def connected(health: WebServer) -> Iterator[http.client.HTTPConnection]:
    """A connection to it."""
    place = urlsplit(health.address)
    with closing(http.client.HTTPConnection(place.hostname or "", place.port, timeout=PATIENCE)) as connection:
        yield connection


def ask(health: WebServer, path: str, method: str = "GET", **headers: str) -> HealthReply:
    """One request."""
    with connected(health) as connection:
        connection.request(method, path, headers=headers)
        response = connection.getresponse()
        fields = {name.lower(): value for name, value in response.getheaders()}
        return HealthReply(response.status, response.read().decode(), fields)


@pytest.fixture(scope="module")
def shown() -> Iterator[tuple[Service, WebServer]]:
    """A service and its health, on a port of its own; to stop listening takes half a second."""
    service = Service()
    with served(HERE, service.watched) as health:
        yield service, health


@pytest.fixture
def service(shown: tuple[Service, WebServer]) -> Service:
    """One that is well, and that nobody has looked at for long."""
    service, _ = shown
    well = Service(now=service.now + 1_000)
    vars(service).update(vars(well))
    return service


@pytest.fixture
def health(shown: tuple[Service, WebServer], service: Service) -> WebServer:
    """Its health."""
    del service  # it is well now
    return shown[1]


def is_dropped(line: socket.socket) -> bool:
    """Whether the other side has ended a connection, at once or in good order."""
    try:
        return not line.recv(1000)
    except ConnectionResetError:
        return True


def test_a_service_that_is_well_says_so(health: WebServer) -> None:
    """As JSON, with no reasons."""
    for path in ("/health/live", "/health/ready"):
        answer = ask(health, path)
        assert (200, {"status": "ok", "reasons": []}) == (answer.status, answer.json_body)
        assert ("application/json", "no-store") == (answer.headers["content-type"], answer.headers["cache-control"])


def test_a_loop_that_stands_still_is_not_live(service: Service, health: WebServer) -> None:
    """Asked without touching settings or ledger: a broken one is no reason to start the service anew."""
    service.broken = True
    service.stands = 60
    assert 200 == ask(health, "/health/live").status
    service.stands = 61
    answer = ask(health, "/health/live")
    fields = {"status": "failing", "reasons": ["the main loop has not turned for 61 s"]}
    assert (503, fields, 0) == (answer.status, answer.json_body, service.looks)


def test_what_a_person_should_look_at_is_not_ready(service: Service, health: WebServer) -> None:
    """Every reason is told."""
    service.jobs = {
        "note": JobState(parked=Parked(since=NOW, failures=5, reason="zażółć 满了")),
        "plan": JobState(next_look=NOW.replace(hour=1)),
    }
    answer = ask(health, "/health/ready")
    late = "plan should have been looked at by 2026-03-04T01:00:00+00:00"
    fields = {"status": "failing", "reasons": ["note is parked: zażółć 满了", late]}
    assert (503, fields) == (answer.status, answer.json_body)


def test_a_broken_ledger_is_not_ready(service: Service, health: WebServer) -> None:
    """Its sentence is the reason; metrics are still there, and say so by one number."""
    service.broken = True
    ready, metrics = ask(health, "/health/ready"), ask(health, "/metrics")
    assert (503, 200) == (ready.status, metrics.status)
    assert "file is not a database" in ready.body
    assert 0 == value(metrics, "memory_service_ready")


def test_metrics_can_be_scraped(health: WebServer) -> None:
    """In the text format, unless the newer one is asked for."""
    answer = ask(health, "/metrics?debug=1")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert (1, 1) == (value(answer, "memory_service_ready"), value(answer, "memory_job_due_windows"))
    newer = ask(health, "/metrics", Accept="application/openmetrics-text; version=1.0.0, text/plain; q=0.5")
    assert newer.headers["content-type"].startswith("application/openmetrics-text; version=1.0.0")
    assert newer.body.endswith("# EOF\n")


def value(answer: HealthReply, metric: str) -> float:
    """The only value of a metric."""
    families = text_string_to_metric_families(answer.body)
    [seconds] = [sample.value for family in families for sample in family.samples if sample.name == metric]
    return float(seconds)


def test_one_look_serves_many_readers(service: Service, health: WebServer) -> None:
    """For some seconds: nobody can put the machine to work by asking often, or by asking at once."""
    readers = [Thread(target=ask, args=(health, path)) for path in ("/metrics", "/health/ready") * 5]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    assert 1 == service.looks
    service.now += 14.9
    assert (1, 1) == (value(ask(health, "/metrics"), "memory_job_due_windows"), service.looks)
    service.now += 0.1
    assert (2, 2) == (value(ask(health, "/metrics"), "memory_job_due_windows"), service.looks)


def test_a_failed_look_is_not_repeated_at_once_either(service: Service, health: WebServer) -> None:
    """And forgotten as soon: what was mended is well again."""
    service.broken = True
    assert [503, 503, 1] == [ask(health, "/health/ready").status, ask(health, "/health/ready").status, service.looks]
    service.broken = False
    service.now += 15
    assert [200, 2] == [ask(health, "/health/ready").status, service.looks]


@table("path", PATHS)
def test_head_is_get_without_the_body(health: WebServer, path: str) -> None:
    """Same status, same headers; `/metrics` differs in length from one moment to the next."""
    got, headed = ask(health, path), ask(health, path, "HEAD")
    assert (got.status, "", got.headers.keys()) == (headed.status, headed.body, headed.headers.keys())
    assert path == "/metrics" or got.headers["content-length"] == headed.headers["content-length"]


@table("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_nothing_can_be_changed(health: WebServer, method: str) -> None:
    """Only reading is allowed."""
    answer = ask(health, "/metrics", method)
    assert (405, {"GET", "HEAD"}) == (answer.status, set(answer.headers["allow"].split(", ")))


@table("path", ["/metrics/", "/api/v1/entries", "/api/nothing", "/mcp", "/openapi.json"])
def test_all_else_needs_a_token(health: WebServer, path: str) -> None:
    """Also a path that is none."""
    assert (401, "Bearer") == (ask(health, path).status, ask(health, path).headers["www-authenticate"])


@table("path", ["/", "/health", "/nothing", "/../etc/passwd"])
def test_the_page_needs_one_too(health: WebServer, path: str) -> None:
    """Who has none is sent to where it is asked for."""
    assert (303, "/sign-in") == (ask(health, path).status, ask(health, path).headers["location"])


@table("host", ["localhost", "localhost:1", "127.0.0.1:9464", "127.0.0.2", "[::1]:80"])
def test_names_of_this_machine_are_answered(health: WebServer, host: str) -> None:
    """With any port: somebody may forward one."""
    assert 200 == ask(health, "/metrics", Host=host).status


@table("host", ["example.com", "example.com:9464", "127.0.0.1.example.com", "", "[", "10.0.0.1"])
def test_other_names_are_not(service: Service, health: WebServer, host: str) -> None:
    """A web page that lets its own name lead here reads nothing through a visitor's browser."""
    assert [421] * 3 == [ask(health, path, Host=host).status for path in PATHS]
    assert 0 == service.looks


def test_who_listens_to_the_network_is_called_by_any_name(service: Service) -> None:
    """What is written is done; the names under which the machine is known there are not ours to know."""
    with served("0.0.0.0:0", service.watched) as health:
        port = urlsplit(health.address).port
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
            connection.request("GET", "/metrics", headers={"Host": "memory.example.com"})
            assert 200 == connection.getresponse().status


def test_without_a_host_it_listens_here_alone(service: Service) -> None:
    """`:9464` opens nothing to the network, as it would elsewhere."""
    with served(":0", service.watched) as health:
        assert health.address.startswith("http://127.0.0.1:")


@pytest.mark.skipif(not socket.has_ipv6, reason="this Python knows no IPv6")
def test_ipv6_works_too(service: Service) -> None:
    """Where the system has it."""
    try:
        with served("[::1]:0", service.watched) as health:
            assert health.address.startswith("http://[::1]:")
            assert 200 == ask(health, "/health/live").status
    except CannotListen as refused:
        pytest.skip(str(refused))


def test_nothing_listens_without_an_address(service: Service) -> None:
    """That is the default."""
    with served("", service.watched) as health:
        assert "" == health.address


def test_nothing_listens_after_the_end(service: Service) -> None:
    """The port is free again."""
    with held_port() as port:
        with served(f"127.0.0.1:{port}", service.watched) as health:
            ask(health, "/health/live")
        assert "" == health.address
        with served(f"127.0.0.1:{port}", service.watched) as again:
            assert 200 == ask(again, "/health/live").status


@table("where", ["9464", "127.0.0.1", "127.0.0.1:", "127.0.0.1:http", "127.0.0.1:65536", "h:-1"])
def test_what_is_no_address_is_a_problem_of_the_settings(where: str) -> None:
    """The sentence names the setting and shows how it should look."""
    with pytest.raises(SettingsInvalid, match=r"service\.http: .*127\.0\.0\.1:9464"):
        parse_settings({"service": {"http": where}}, "memory.toml")


def test_an_address_that_is_taken_is_reported(service: Service, health: WebServer) -> None:
    """With the setting that names another one."""
    taken = health.address.removeprefix("http://")
    with pytest.raises(CannotListen, match=rf"Cannot listen on {taken}: Address already in use\. .*service\.http"):
        served(taken, service.watched).__enter__()


def test_an_address_of_another_machine_is_reported() -> None:
    """Not a bug either."""
    with pytest.raises(CannotListen, match=r"192\.0\.2\.1:0: Cannot assign"):
        served("192.0.2.1:0", Service().watched).__enter__()


def test_a_reader_that_says_nothing_holds_nobody_up(service: Service) -> None:
    """Others are answered while it is there, which is long here."""
    with served(HERE, service.watched, longest=10 * PATIENCE) as health:
        place = urlsplit(health.address)
        with socket.create_connection((place.hostname or "", place.port or 0)) as mute:
            mute.sendall(b"GET /metrics HT")
            assert [200] * 3 == [ask(health, path).status for path in PATHS]


def test_a_reader_that_goes_away_is_no_bug(health: WebServer, capfd: pytest.CaptureFixture[str]) -> None:
    """Nothing is said about it."""
    place = urlsplit(health.address)
    for _ in range(5):
        with socket.create_connection((place.hostname or "", place.port or 0)) as hasty:
            # Closed at once and with nothing taken, the connection is reset.
            hasty.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
            hasty.sendall(b"GET /metrics HTTP/1.0\r\n\r\n")
    assert 200 == ask(health, "/metrics").status
    assert "" == capfd.readouterr().err


def test_readers_that_dawdle_make_room(health: WebServer) -> None:
    """However many connections say a letter now and then, who asks is answered, and the oldest of them are dropped."""
    place = urlsplit(health.address)
    with ExitStack() as stack:
        slow = [
            stack.enter_context(socket.create_connection((place.hostname, place.port), timeout=PATIENCE))
            for _ in range(60)
        ]
        for connection in slow:
            with suppress(OSError):  # dropped already
                connection.sendall(b"GET /health/live HTTP/1.1\r\nX: ")
        assert 200 == ask(health, "/health/live").status
        assert is_dropped(slow[0])


def test_idle_connections_make_room_first(service: Service) -> None:
    """One that has just been answered stays while those that never asked go."""
    with served(HERE, service.watched) as health, ExitStack() as stack:
        place = urlsplit(health.address)
        where = (place.hostname, place.port)
        slow = [stack.enter_context(socket.create_connection(where, timeout=PATIENCE)) for _ in range(40)]
        assert is_dropped(slow[0])
        assert 200 == ask(health, "/health/live").status
