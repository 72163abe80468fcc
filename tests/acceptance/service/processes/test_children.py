"""The processes that run jobs for the service, as real processes on a tiny workspace."""

import json
import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event

import pytest

from pipeline.errors import WriteFailed
from pipeline.service.processes.children import Announced, Children, RunningChild, child_environment
from pipeline.workspace.locks import Locks
from pipeline.workspace.service_files import ServiceFolder
from tests.support.ports.clock import FixedClock
from tests.support.processes.command_line import bare_environment
from tests.support.processes.waiting import awaited, soon
from tests.support.servers.behaviours import Behaviour, Received, Sent, hanging
from tests.support.servers.model_server import ScriptedServer
from tests.support.workspaces.four_days import FourDays, build_four_days, model_table

MONDAY = datetime(2026, 3, 2, tzinfo=UTC).date()
NOW = datetime(2026, 3, 9, 12, tzinfo=UTC)
WEEK = timedelta(days=7)


def end_of(child: RunningChild, seconds: float = 60) -> int:
    """The child's exit code, which must come in time."""
    return awaited(child.exit_code, seconds)


def children(root: Path, **environment: str) -> Children:
    """Those of a workspace, whose service has its folder; what is older than a week is removed."""
    ServiceFolder(root).path.mkdir(parents=True, exist_ok=True)
    return Children(root, bare_environment(root, **environment), WEEK, FixedClock(NOW))


def announced(asked: Event) -> Behaviour:
    """Tells that a question has come, and never answers."""

    def behave(request: Received) -> Sent:
        asked.set()
        return hanging()(request)

    return behave


@pytest.fixture
def four_days(tmp_path: Path) -> FourDays:
    """A workspace with a week in which something was said."""
    return build_four_days(tmp_path / "house", MONDAY)


@pytest.fixture
def waiting(tmp_path: Path) -> Iterator[RunningChild]:
    """A run that waits for its model."""
    asked = Event()
    with ScriptedServer(announced(asked)) as server:
        four_days = build_four_days(tmp_path / "house", MONDAY, model_table(server))
        child = children(four_days.memory.root).start("micro_sync")
        assert asked.wait(60)
        yield child
        child.kill()
        end_of(child)


def test_a_child_runs_what_is_due_and_leaves_its_log(four_days: FourDays) -> None:
    """It ends with the exit code of `memory run`; its log holds what it printed, for nobody else to read."""
    child = children(four_days.memory.root).start("micro_sync")
    assert ("micro_sync", child.pid) == (child.job, os.getsid(child.pid))
    assert 0 == end_of(child)
    assert four_days.daily(0).exists()
    assert ServiceFolder(four_days.memory.root).logs / "20260309T120000.000000Z-micro_sync.log" == child.log
    assert 0o600 == stat.S_IMODE(child.log.stat().st_mode)
    assert "done" in {json.loads(line).get("ending") for line in child.log.read_text(encoding="utf-8").splitlines()}


def test_a_child_is_not_the_service(four_days: FourDays) -> None:
    """What the service manager told the service is no business of the child's."""
    child = children(four_days.memory.root, NOTIFY_SOCKET="/somewhere", WATCHDOG_USEC="1", OTHER="kept").start(
        "micro_sync"
    )
    data = b""
    while not data:  # the system shows it a moment after the process has begun
        assert child.exit_code() is None
        data = Path(f"/proc/{child.pid}/environ").read_bytes()
    child.kill()
    end_of(child)
    names = {item.partition(b"=")[0] for item in data.split(b"\0")}
    assert {b"OTHER"} == names & {b"OTHER", b"NOTIFY_SOCKET", b"WATCHDOG_USEC"}


def test_a_folder_named_like_one_of_ours_is_not_imported(four_days: FourDays) -> None:
    """The child works in the workspace, and imports nothing from there."""
    (four_days.memory.root / "pipeline").mkdir()
    (four_days.memory.root / "pipeline" / "__init__.py").write_text("raise SystemExit(99)", encoding="utf-8")
    (four_days.memory.root / "click.py").write_text("raise SystemExit(99)", encoding="utf-8")
    assert 0 == end_of(children(four_days.memory.root).start("micro_sync"))


def test_asked_to_stop_it_reaches_its_safe_point(waiting: RunningChild) -> None:
    """The exit code is that of SIGTERM, and what was left is told in its log."""
    assert waiting.exit_code() is None
    waiting.stop()
    assert 143 == end_of(waiting)
    waiting.stop()  # after its end nothing happens
    waiting.kill()
    assert 143 == waiting.exit_code()


def test_killed_it_ends_at_once(waiting: RunningChild) -> None:
    """Nobody is asked; the whole group goes."""
    waiting.kill()
    assert 137 == end_of(waiting)


def test_old_logs_are_removed(four_days: FourDays) -> None:
    """After `retention`; whatever else lies in the folder stays."""
    folder = ServiceFolder(four_days.memory.root).logs
    started = children(four_days.memory.root)
    folder.mkdir()
    names = ["20260101T000000.000000Z-micro_sync.log", "20260308T000000.000000Z-micro_sync.log", "notes.log"]
    for name, days in zip(names, (8, 6, 100), strict=True):
        (folder / name).touch()
        os.utime(folder / name, times=((NOW - timedelta(days=days)).timestamp(),) * 2)
    child = started.start("micro_sync")
    started.kill()
    end_of(child)
    left = {file.name for file in folder.iterdir()}
    assert {"20260309T120000.000000Z-micro_sync.log", *names[1:]} == left


def test_a_log_that_vanishes_stops_no_run(four_days: FourDays) -> None:
    """Between the look into the folder and the look at the file, somebody else may have removed it."""
    folder = ServiceFolder(four_days.memory.root).logs
    started = children(four_days.memory.root)
    folder.mkdir()
    # What is listed and is not there when it is looked at.
    (folder / "20260101T000000.000000Z-micro_sync.log").symlink_to(folder / "gone")

    child = started.start("micro_sync")

    started.kill()
    assert 137 == end_of(child)


def test_without_a_retention_no_log_is_removed(four_days: FourDays) -> None:
    """0 keeps them for ever."""
    folder = ServiceFolder(four_days.memory.root).logs
    started = children(four_days.memory.root)
    started.retention = timedelta(0)
    folder.mkdir()
    old = folder / "20060101T000000.000000Z-micro_sync.log"
    old.touch()
    os.utime(old, times=(0, 0))
    child = started.start("micro_sync")
    started.kill()
    end_of(child)
    assert old.exists()


def test_no_room_for_a_log(four_days: FourDays) -> None:
    """A child whose output nobody could read is not started."""
    started = children(four_days.memory.root)
    ServiceFolder(four_days.memory.root).path.rmdir()
    with pytest.raises(WriteFailed, match=r"Cannot write \.memory/service/logs"):
        started.start("micro_sync")
    assert not ServiceFolder(four_days.memory.root).path.exists()


def test_a_beginning_and_an_end_are_reported_once(waiting: RunningChild) -> None:
    """The beginning when it works on a window, the end with its exit code; whoever asks again learns no more."""
    received: list[int | str] = []
    child = Announced(waiting, lambda: received.append("begun"), received.append)

    def is_received() -> bool:
        child.notice()
        return bool(received)

    assert soon(is_received)
    assert (["begun"], None) == (received, child.exit_code())
    child.stop()
    end_of(waiting)
    child.notice()
    assert (143, 143, ["begun", 143]) == (child.exit_code(), child.exit_code(), received)


def test_the_beginning_of_what_has_ended_is_still_reported(four_days: FourDays) -> None:
    """Before its end, however short it was."""
    received: list[int | str] = []
    started = children(four_days.memory.root).start("micro_sync")
    child = Announced(started, lambda: received.append("begun"), received.append)
    os.waitid(os.P_PID, started.pid, os.WEXITED | os.WNOWAIT)  # nobody has looked meanwhile
    assert (0, ["begun", 0]) == (child.exit_code(), received)


def test_a_run_that_finds_another_at_work_does_not_begin(four_days: FourDays) -> None:
    """Its exit code is 75, and a check that was told of a beginning would wait for the end of it."""
    received: list[int | str] = []
    with Locks(four_days.memory.root / "memory" / ".locks").hold(["micro_sync"], "another", datetime.now(UTC)):
        child = Announced(
            children(four_days.memory.root).start("micro_sync"), lambda: received.append("begun"), received.append
        )
        assert soon(lambda: child.exit_code() is not None)
    assert [75] == received


def test_a_child_does_not_speak_in_the_services_name() -> None:
    """It inherits all but the ways to the service manager."""
    service = {"PATH": "/bin", "NOTIFY_SOCKET": "@manager", "WATCHDOG_PID": "1", "WATCHDOG_USEC": "30000000"}
    assert {"PATH": "/bin"} == child_environment(service)
