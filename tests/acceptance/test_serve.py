"""`memory serve` as a process: it runs what is due, is the only one, stops well, and leaves nobody behind."""

import json
import os
import re
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Any
from urllib.request import urlopen
from uuid import uuid4

import pytest

from pipeline.backfill.orders import OrdersFolder
from pipeline.backfill.run import PORTION
from pipeline.service.socket.client import ask
from pipeline.service.socket.http_request import post
from pipeline.workspace.locks import Locks
from pipeline.workspace.service_files import ServiceFolder
from pipeline.workspace.tokens import TokenFile
from schemas.caller import CallerKind
from schemas.run_request import BackfillRequest
from tests.support.processes.command_line import CommandLine, Said, bare_environment, end_of
from tests.support.processes.commands import unlike
from tests.support.processes.waiting import SOON_SECONDS, soon
from tests.support.servers.behaviours import Behaviour, Received, Sent, answering, hanging
from tests.support.servers.model_server import ScriptedServer
from tests.support.servers.ping_server import PingServer
from tests.support.servers.service_manager import ServiceManager
from tests.support.workspaces.four_days import FOLDS, JOBS, FourDays, build_four_days, keeping_promises, model_table
from tests.support.workspaces.page_reader import PageReader
from tests.support.workspaces.served_demo import ServedWorkspace

GRACE_SECONDS = 20.0
"""More than a run is given to reach its safe point once the service is gone."""


def gone(process: int) -> bool:
    """Whether a process has ended; one that nobody has waited for counts as ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True


def announced(asked: Event) -> Behaviour:
    """Tells that a question has come, and never answers."""

    def behave(request: Received) -> Sent:
        asked.set()
        return hanging()(request)

    return behave


pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="looks at processes through /proc, as Linux has it"
)


@dataclass
class Served:
    """A service that is at work for a workspace."""

    four_days: FourDays
    process: "subprocess.Popen[str]"
    manager: ServiceManager
    ended: Said | None = field(default=None)

    @property
    def state(self) -> dict[str, Any]:
        """What it tells of itself; nothing when it has not yet."""
        file = ServiceFolder(self.four_days.memory.root).state
        state_file: dict[str, Any] = json.loads(file.read_bytes()) if file.exists() else {}
        return state_file

    def child(self) -> tuple[int, int]:
        """The supervisor at work and its worker."""
        assert soon(lambda: bool(self.state.get("child")))
        supervisor = int(self.state["child"]["pid"])
        assert soon(lambda: _worker(supervisor) is not None)
        worker = _worker(supervisor)
        assert worker is not None
        return supervisor, worker

    def at_rest(self) -> bool:
        """Whether it has looked at all jobs, and none is at work."""
        jobs = self.state.get("jobs", {})
        looked = [job["last_look"] for job in jobs.values()]
        return len(looked) == len(JOBS) and all(looked) and not self.state["child"]

    def end(self, *numbers: signal.Signals) -> Said:
        """Send it signals; how it ended."""
        for number in numbers:
            self.process.send_signal(number)
        self.ended = end_of(self.process)
        return self.ended


def _worker(supervisor: int) -> int | None:
    path = Path(f"/proc/{supervisor}/task/{supervisor}/children")
    return int(path.read_text(encoding="ascii").split()[0]) if path.exists() and path.read_text() else None


@contextmanager
def serving(four_days: FourDays, watchdog_seconds: float = 0, **environment: str) -> Iterator[Served]:
    """A service that has told that it is ready; it is killed in the end if it is still there."""
    with ServiceManager(f"@memory-{uuid4()}", watchdog_seconds) as manager:
        process = four_days.memory.start("serve", **manager.environment, **environment)
        served = Served(four_days, process, manager)
        try:
            manager.hear_until("READY=1")
            yield served
        finally:
            if served.ended is None:
                process.kill()
                end_of(process)


@pytest.fixture
def stuck(tmp_path: Path, first_day: date) -> Iterator[Served]:
    """A service whose run waits for its model."""
    asked = Event()
    with ScriptedServer(announced(asked)) as server:
        four_days = build_four_days(tmp_path / "house", first_day, model_table(server))
        with serving(four_days) as served:
            assert asked.wait(SOON_SECONDS)
            yield served


@pytest.fixture
def later(tmp_path: Path, first_day: date) -> FourDays:
    """A workspace in which nothing is due."""
    return build_four_days(tmp_path / "later", first_day + timedelta(weeks=52))


def events(ended: Said) -> list[str]:
    """What it announced."""
    return [record["event"] for record in ended.log]


def test_it_runs_what_is_due_by_itself(four_days: FourDays, undisturbed: dict[str, bytes]) -> None:
    """All jobs over all days, one after another, to the same bytes as a back-fill; each run leaves its log.

    The page that is made of plans is rendered by the run that writes one.
    """
    with serving(four_days) as served:
        assert soon(served.at_rest)
        ended = served.end(signal.SIGTERM)
    assert 0 == ended.code, ended.shown
    assert unlike(undisturbed, four_days.memory.pages()) == []
    assert {*JOBS} - FOLDS == {record["job"] for record in ended.log if record["event"] == "job.started"}
    assert {0} == {record["code"] for record in ended.log if record["event"] == "job.ended"}
    assert ["service.ready", "service.stopping"] == [event for event in events(ended) if event.startswith("service.")]
    logs = [Path(record["log"]) for record in ended.log if record["event"] == "job.started"]
    assert all(log.parent == ServiceFolder(four_days.memory.root).logs and log.exists() for log in logs)
    assert "Traceback" not in ended.err


def test_it_goes_on_with_a_back_fill_that_waits(tmp_path: Path, first_day: date) -> None:
    """By itself, part by part, until nothing is left of it."""
    four_days = build_four_days(tmp_path / "house", first_day)
    file, folder = four_days.memory.root / "memory.toml", OrdersFolder(four_days.memory.root / ".memory")
    started = f"start = {first_day + timedelta(weeks=2)}T00:00:00+01:00"
    file.write_text(re.sub("start = .*", started, file.read_text(encoding="utf-8")), encoding="utf-8")
    folder.keep(
        BackfillRequest(
            id="20260301-0a0a0a", jobs=("micro_sync",), first=first_day, last=four_days.days[-1], waits=True
        )
    )
    with serving(four_days) as served:
        assert soon(lambda: not folder.knows("20260301-0a0a0a"))
        assert soon(served.at_rest)
        ended = served.end(signal.SIGTERM)
    assert 0 == ended.code, ended.shown
    assert all(four_days.daily(day).exists() for day in range(len(four_days.days)))
    codes = [record["code"] for record in ended.log if record["event"] == "job.ended" and record["job"] == "backfill"]
    assert [0] * (1 + 8 * len(four_days.days) // PORTION) >= codes >= [0]


def test_what_it_tells_the_service_manager(later: FourDays) -> None:
    """READY, when it will look next, that its loop turns, and that it stops."""
    with serving(later, watchdog_seconds=0.4) as served:
        assert soon(served.at_rest)
        assert [["WATCHDOG=1"]] * 3 == [served.manager.hear_until("WATCHDOG=1") for _ in range(3)]
        served.process.terminate()
        assert "STATUS=stopping" in served.manager.hear_until("STOPPING=1")
        assert 0 == served.end().code


def test_a_second_service_refuses(later: FourDays) -> None:
    """It names the process and the host of the first, and asks to try again later by its exit code."""
    with serving(later) as served:
        second = later.memory.memory("serve")
        assert 75 == second.code
        assert f"process {served.process.pid} on {os.uname().nodename}" in second.shown
        assert 0 == served.end(signal.SIGINT).code
    with serving(later) as served:
        assert 0 == served.end(signal.SIGTERM).code


def test_a_run_reaches_its_safe_point(stuck: Served) -> None:
    """Asked to stop, the service asks its run, and ends after it."""
    four_days, child = stuck.four_days, stuck.child()
    stuck.process.terminate()
    assert "STATUS=a run reaches its safe point" in stuck.manager.hear_until("STOPPING=1")
    assert stuck.manager.hear_until("EXTEND_TIMEOUT_USEC=30000000")
    ended = stuck.end()
    assert all(map(gone, child))
    assert (0, [143]) == (ended.code, [record["code"] for record in ended.log if record["event"] == "job.ended"])
    (log,) = ServiceFolder(four_days.memory.root).logs.iterdir()
    assert "Stopped as asked" in log.read_text(encoding="utf-8")
    assert [] == four_days.memory.torn()


def test_a_second_signal_ends_the_run_at_once(stuck: Served) -> None:
    """Who asks twice does not want to wait for a run that does not heed; the exit code says that it was cut off."""
    child = stuck.child()
    os.kill(child[1], signal.SIGSTOP)
    stuck.process.terminate()
    stuck.manager.hear_until("STOPPING=1")
    ended = stuck.end(signal.SIGTERM)
    assert (143, [137]) == (ended.code, [record["code"] for record in ended.log if record["event"] == "job.ended"])
    assert all(map(gone, child))


def test_nobody_is_left_when_the_service_is_killed(stuck: Served, tmp_path: Path, first_day: date) -> None:
    """After `kill -9` neither the supervisor nor the worker goes on, and the next service takes over."""
    four_days, child = stuck.four_days, stuck.child()
    stuck.end(signal.SIGKILL)
    assert all(soon(lambda item=pid: gone(item), GRACE_SECONDS) for pid in child)  # type: ignore[misc]  # a default keeps the value of the round
    with ScriptedServer(answering(keeping_promises)) as server:
        with serving(four_days, MEMORY_MODEL__BASE_URL=server.base_url) as served:
            assert soon(served.at_rest)
            assert 0 == served.end(signal.SIGTERM).code
        other = build_four_days(tmp_path / "undisturbed", first_day, model_table(server))
        assert 0 == other.memory.memory(*other.backfill).code
    assert unlike(other.memory.pages(), four_days.memory.pages()) == []


def test_settings_are_read_anew(later: FourDays) -> None:
    """On SIGHUP; those that cannot be used are told of, and the old ones go on."""
    file = later.memory.root / "memory.toml"
    plain = file.read_text(encoding="utf-8")
    with serving(later) as served:
        assert soon(served.at_rest)
        file.write_text(f'log_level = "loud"\n{plain}', encoding="utf-8")
        served.process.send_signal(signal.SIGHUP)
        served.manager.hear_until("READY=1")
        assert 404 == post(str(later.memory.root), "unknown", b"{}", "{}", SOON_SECONDS)[0]  # it listens
        file.write_text(plain, encoding="utf-8")
        served.process.send_signal(signal.SIGHUP)
        served.manager.hear_until("READY=1")
        file.write_text(f'log_level = "error"\n{plain}', encoding="utf-8")
        served.process.send_signal(signal.SIGHUP)
        assert served.manager.hear_until("RELOADING=1")
        served.manager.hear_until("READY=1")
        assert ask(later.memory.root, "start_page", {}) is not None
        ended = served.end(signal.SIGTERM)
    (refused,) = [line for line in ended.err.splitlines() if '"event": "settings.refused"' in line]
    assert "log_level: write debug, info, warning, error" in refused
    assert 1 == events(ended).count("settings.read")
    assert (0, "service.ready", False) == (ended.code, events(ended)[0], "service.stopping" in events(ended))


def test_it_ends_when_it_can_go_on_with_no_settings(later: FourDays) -> None:
    """With exit code 1 and both reasons, so that its manager starts it again; the old ones are not said to go on."""
    with serving(later) as served:
        assert soon(served.at_rest)
        (ServiceFolder(later.memory.root).path / "socket.new" / "x").mkdir(parents=True)
        ended = served.end(signal.SIGHUP)
    assert (1, True) == (ended.code, "Nor could the service go on with the old ones" in ended.shown), ended.shown
    assert "settings.refused" not in events(ended)


def test_a_newer_program_takes_the_ledger_over(later: FourDays) -> None:
    """As in an upgrade: the service ends with exit code 1 and says why, so that its manager starts the new one."""
    ledger = later.memory.root / ".memory" / "state.db"
    with serving(later) as served:
        assert soon(served.at_rest)
        with closing(sqlite3.connect(ledger)) as newer:
            newer.execute("PRAGMA user_version = 99")
        served.process.send_signal(signal.SIGHUP)  # it looks at once
        assert any(line.startswith(f"STATUS={ledger} is of") for line in served.manager.hear_until("STOPPING=1"))
        ended = served.end()
    assert (1, True) == (ended.code, f"{ledger} is of version 99" in ended.shown), ended.shown


def test_settings_that_cannot_be_used(later: FourDays) -> None:
    """It does not begin, and says what is wrong; so it does when its address is taken."""
    file = later.memory.root / "memory.toml"
    plain = file.read_text(encoding="utf-8")
    with PingServer() as taken:
        file.write_text(f'{plain}[service]\nhttp = "{taken.address.removeprefix("http://")}"\n', encoding="utf-8")
        ended = later.memory.memory("serve")
    assert (1, True) == (ended.code, "Cannot listen on 127.0.0.1:" in ended.shown), ended.shown
    file.write_text(f"{plain}[service]\nhttp = 1\n", encoding="utf-8")
    assert 2 == later.memory.memory("serve").code
    assert ask(later.memory.root, "start_page", {}) is None


def test_what_keeps_it_from_looking_is_reported(later: FourDays) -> None:
    """A ledger that cannot be used does not end the service; a person and the service manager are told, once."""
    ledger = later.memory.root / ".memory" / "state.db"
    ledger.parent.mkdir(exist_ok=True)
    ledger.write_bytes(b"no database" * 1000)
    with serving(later) as served:
        assert soon(lambda: bool(served.state))
        (status,) = served.manager.hear()
        assert status.startswith(f"STATUS={ledger} cannot be used")
        assert ask(later.memory.root, "start_page", {}) is not None
        ended = served.end(signal.SIGTERM)
    assert (0, 1) == (ended.code, ended.err.count(f"{ledger} cannot be used")), ended.err


def test_the_workspace_disappears(later: FourDays) -> None:
    """The service ends with a sentence that names the folder, and makes nothing where it was."""
    moved = later.memory.root.with_name("moved")
    with serving(later) as served:
        assert soon(served.at_rest)
        later.memory.root.rename(moved)
        ended = served.end(signal.SIGHUP)
    assert (1, True) == (ended.code, f"{later.memory.root} has disappeared" in ended.shown), ended.shown
    assert not later.memory.root.exists()


def test_runs_are_pinged(tmp_path: Path, first_day: date) -> None:
    """A check is told that a run begins and how it ended, by the same id."""
    four_days = build_four_days(tmp_path / "house", first_day)
    with PingServer() as server:
        with serving(four_days, MEMORY_PINGS__URL=server.url) as served:
            assert soon(lambda: len(server.paths) > 1)
            assert 0 == served.end(signal.SIGTERM).code
        assert ["/start", "/0"] == server.paths[:2]
        assert server.pings[0].run == server.pings[1].run


def test_a_run_that_has_nothing_to_do_is_well(later: FourDays) -> None:
    """It ends without having begun, where a page to read first stands already."""
    (later.memory.root / "MEMORY.md").write_text("# What to read first\n")
    with PingServer() as server:
        with serving(later, MEMORY_PINGS__URL=server.url) as served:
            assert soon(served.at_rest)
            assert 0 == served.end(signal.SIGTERM).code
        assert ["/0"] == server.paths


def test_a_run_that_finds_another_at_work_is_only_noted(tmp_path: Path, first_day: date) -> None:
    """Without a beginning, after which the check would wait for an end; it is told who is at work, and no failure."""
    four_days = build_four_days(tmp_path / "house", first_day)
    locks = Locks(four_days.memory.root / "memory" / ".locks")
    with PingServer() as server, locks.hold(JOBS, "another", datetime.now(UTC)):
        with serving(four_days, MEMORY_PINGS__URL=server.url) as served:
            assert server.heard.wait(SOON_SECONDS)
            assert 0 == served.end(signal.SIGTERM).code
        assert {"/log"} == set(server.paths)
        assert "exit code 75: somebody else is at work" in server.pings[0].body
        assert "run another" in server.pings[0].body


def test_what_it_shows_over_http(later: FourDays) -> None:
    """With `service.http` its health can be asked for; the address is announced."""
    with serving(later, MEMORY_SERVICE__HTTP="127.0.0.1:0") as served:
        assert served.process.stderr is not None
        address = json.loads(served.process.stderr.readline())["http"]
        assert soon(served.at_rest)
        with urlopen(f"{address}/health/ready", timeout=SOON_SECONDS) as answer:  # noqa: S310 - it is our own
            assert {"status": "ok", "reasons": []} == json.load(answer)
        assert 0 == served.end(signal.SIGTERM).code


def test_settings_that_the_page_writes(later: FourDays) -> None:
    """The service reads them anew by itself, after it has sent the document with the result."""
    with serving(later, MEMORY_SERVICE__HTTP="127.0.0.1:0") as served:
        assert served.process.stderr is not None
        address = json.loads(served.process.stderr.readline())["http"]
        assert soon(served.at_rest)
        root = later.memory.root
        person = TokenFile(root).add("anna", CallerKind.PERSON, "", datetime.now(UTC))
        reader = PageReader(ServedWorkspace(root, address, person, ""))
        look = reader.get("/settings/change?change=zone&timezone=Asia/Tokyo")
        assert "Written." in reader.post(look.form("/settings/change")).text
        assert served.manager.hear_until("RELOADING=1")
        served.manager.hear_until("READY=1")
        assert 0 == served.end(signal.SIGTERM).code


def test_on_a_terminal(later: FourDays) -> None:
    """A person is told in a line that it is at work, where logs are and how to stop; it goes with its terminal."""
    ours, theirs = os.openpty()
    data = b""
    with screened(later, theirs) as process:
        while b"stops it.\r\n" not in data:
            data += os.read(ours, 4096)
        process.send_signal(signal.SIGHUP)
        assert 0 == process.wait(SOON_SECONDS)
    os.close(ours)
    (line,) = data.decode().splitlines()
    logs = ServiceFolder(later.memory.root).logs
    assert f"memory: at work for {later.memory.root}. What runs print goes to {logs}. Ctrl-C stops it." == line


@contextmanager
def screened(four_days: FourDays, screen: int) -> Iterator["subprocess.Popen[bytes]"]:
    """A service whose stderr is a terminal."""
    command = CommandLine(four_days.memory.root)
    environment = bare_environment(command.home)
    with subprocess.Popen(command.words("serve"), env=environment, cwd=command.home, stderr=screen) as process:
        os.close(screen)
        try:
            yield process
        finally:
            process.kill()
