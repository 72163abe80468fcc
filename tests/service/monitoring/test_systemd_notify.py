"""What is told to a service manager, heard on a real datagram socket."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.clock import stopwatch
from pipeline.service.monitoring.systemd_notify import Notifier
from tests.support.servers.service_manager import ServiceManager
from tests.support.tables import table


@pytest.fixture(params=["path", "abstract"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ServiceManager]:
    """A socket in a folder, or one with a name that is in no folder."""
    if request.param == "abstract" and not Path("/proc/net/unix").exists():
        pytest.skip("only Linux has abstract sockets")
    address = tmp_path / "notify" if request.param == "path" else f"@memory-notify-{os.getpid()}"
    with ServiceManager(address, watchdog_seconds=3) as listener:
        yield listener


def test_what_it_tells(manager: ServiceManager) -> None:
    """One datagram for each, in the words of sd_notify(3); a status is one line."""
    notifier = Notifier(manager.environment)
    notifier.ready("at\nwork")
    assert ["READY=1", "STATUS=at work"] == manager.hear()
    notifier.status("micro_sync is at work")
    assert ["STATUS=micro_sync is at work"] == manager.hear()
    notifier.alive()
    assert ["WATCHDOG=1"] == manager.hear()
    notifier.extend(1.5)
    assert ["EXTEND_TIMEOUT_USEC=1500000"] == manager.hear()
    notifier.stopping("one run reaches its safe point")
    assert ["STOPPING=1", "STATUS=one run reaches its safe point"] == manager.hear()
    notifier.status("caf\udce9.md cannot be read")  # a path that is not UTF-8
    assert ["STATUS=caf?.md cannot be read"] == manager.hear()


def test_no_word_is_lost_on_a_manager_that_is_asked_later(manager: ServiceManager) -> None:
    """Many words may come before anybody looks what there is."""
    notifier = Notifier(manager.environment)
    for _ in range(30):
        notifier.alive()
    notifier.stopping("one run reaches its safe point")
    assert [["WATCHDOG=1"]] * 30 == [manager.hear() for _ in range(30)]
    assert "STOPPING=1" in manager.hear()


def test_reading_the_settings_anew_is_reported_with_its_time(manager: ServiceManager) -> None:
    """The manager tells an old `ready` from the one that follows by the time."""
    before = stopwatch()
    Notifier(manager.environment).reloading()
    reloading, moment = manager.hear()
    assert "RELOADING=1" == reloading
    assert before - 0.001 <= int(moment.removeprefix("MONOTONIC_USEC=")) / 1_000_000 <= stopwatch()


def test_nobody_listens(tmp_path: Path) -> None:
    """Without the variable nothing happens, and neither does when whoever listened has gone."""
    Notifier({}).ready("at work")
    Notifier({"NOTIFY_SOCKET": str(tmp_path / "gone")}).ready("at work")


@table(
    ("fields", "expected"),
    [
        ({"WATCHDOG_USEC": "3000000"}, 1.5),
        ({"WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "7"}, 1.5),
        ({"WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "8"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({}, None),
    ],
)
def test_the_watchdog_is_fed_at_half_its_time(fields: dict[str, str], expected: float | None) -> None:
    """When it is meant for this process, and somebody listens."""
    assert expected == Notifier({"NOTIFY_SOCKET": "/somewhere"} | fields, pid=7).beat_seconds
    assert Notifier(fields, pid=7).beat_seconds is None
