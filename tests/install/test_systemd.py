"""The units in `systemd/` fit the command line and the jobs."""

import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import pytest

from pipeline.scheduling.registry import discover
from pipeline.surfaces.cli.main import cli
from pipeline.surfaces.cli.terminal.machine import data_folder
from tests.support.tables import table

FOLDER = Path(str(data_folder("systemd"))).resolve()
UNITS = sorted(FOLDER.iterdir())
SERVICE = FOLDER / "memory-job@.service"
INDEX = FOLDER / "memory-index.service"
WHOLE = FOLDER / "memory.service"
FAILED = FOLDER / "memory-failed@.service"
WORKER, FRONT = FOLDER / "memory-fleet-worker@.service", FOLDER / "memory-fleet-front@.service"
TIMERS = [unit for unit in UNITS if unit.suffix == ".timer"]


def settings(unit: Path) -> dict[str, list[str]]:
    """The settings of a unit, `Section.Name`, each with all its values in order."""
    by_key, section = defaultdict[str, list[str]](list), ""
    for line in unit.read_text().splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            name, _, value = line.partition("=")
            by_key[f"{section}.{name}"].append(value)
    return by_key


@table("unit", [unit for unit in UNITS if unit != FAILED])
def test_every_command_exists(unit: Path) -> None:
    """What a unit starts is `memory`, one of its commands, and a job's name; the journal gets a line an event."""
    unit_settings = settings(unit)
    for name, values in unit_settings.items():
        for value in values if name == "Service.ExecStart" else ():
            program, memory, *words = value.split()
            _, command, left = cli.resolve_command(click.Context(cli), words)
            expected = {"reindex": ["--watch"], "run": ["%i", "--json"], "serve": [], "worker": []}
            assert command
            assert (program, memory, left) == ("/usr/bin/env", "memory", expected[command.name or ""])


def test_the_service_tells_how_it_is() -> None:
    """It is believed when it says that it is ready and alive, and so is nobody else; it has time to end well."""
    unit_settings = settings(WHOLE)
    expected = {"Type": "notify", "NotifyAccess": "main", "WatchdogSec": "2min", "KillMode": "mixed"}
    assert ["/usr/bin/env kill -HUP $MAINPID"] == unit_settings["Service.ExecReload"]
    assert expected == {name: unit_settings[f"Service.{name}"][0] for name in expected}


def test_the_service_does_not_start_for_ever() -> None:
    """Neither after wrong use (2) nor beside another service (75), and not more than five times an hour otherwise."""
    unit_settings = settings(WHOLE)
    assert (["on-failure"], ["2 75"]) == (
        unit_settings["Service.Restart"],
        unit_settings["Service.RestartPreventExitStatus"],
    )
    assert (["1h"], ["5"]) == (unit_settings["Unit.StartLimitIntervalSec"], unit_settings["Unit.StartLimitBurst"])


def test_clients_find_the_socket_of_the_service() -> None:
    """It lies in a folder that the service manager makes for it alone, which the /tmp of its own does not hide."""
    unit_settings = settings(WHOLE)
    assert ["%N"] == unit_settings["Service.RuntimeDirectory"]
    assert "XDG_RUNTIME_DIR=%t/%N" in unit_settings["Service.Environment"]


def test_a_failure_can_be_reported() -> None:
    """The service has the line for it behind a `#`, and what it names is there."""
    assert "\n#OnFailure=memory-failed@%n.service\n" in WHOLE.read_text()
    assert ["oneshot"] == settings(FAILED)["Service.Type"]


def test_units_that_are_enabled_say_when_they_start() -> None:
    """Without it, `systemctl enable` does nothing."""
    assert {unit.name: settings(unit)["Install.WantedBy"] for unit in (WHOLE, INDEX)} == {
        WHOLE.name: ["default.target"],
        INDEX.name: ["default.target"],
    }


def test_every_job_has_a_timer() -> None:
    """One timer for each job of a clock, and none for another: folds follow what they are made of."""
    assert {timer.name for timer in TIMERS} == {f"memory-job@{job.name}.timer" for job in discover() if job.clock}


@table("timer", TIMERS)
def test_timers_catch_up_and_spread(timer: Path) -> None:
    """A machine that was off catches up; several machines do not come at the same second."""
    unit_settings = settings(timer)
    assert unit_settings["Timer.Persistent"] == ["true"]
    assert unit_settings["Timer.RandomizedDelaySec"] == ["2min"]
    assert unit_settings["Timer.OnCalendar"] != []
    assert unit_settings["Install.WantedBy"] == ["timers.target"]


@table(
    ("service", "own"),
    [
        (WHOLE, {"SuccessExitStatus": "143"}),
        (SERVICE, {"Type": "oneshot", "SuccessExitStatus": "75 143"}),
        (INDEX, {"Type": "exec"}),
    ],
)
def test_the_services_are_hardened(service: Path, own: dict[str, str]) -> None:
    """A service may write the workspace and nothing else; for a job, 75 is no failure, and being stopped is for none.

    Without `PrivateUsers` a user manager does none of it, and with `PrivateDevices` it then starts nothing at all;
    without `ProtectHome` the home folders can be written, whatever `ProtectSystem` says.
    """
    unit_settings = settings(service)
    expected = own | {
        "NoNewPrivileges": "yes",
        "PrivateUsers": "yes",
        "ProtectSystem": "strict",
        "ProtectHome": "read-only",
        "PrivateTmp": "yes",
        "SystemCallFilter": "@system-service",
        "CPUSchedulingPolicy": "batch",
        "RestrictAddressFamilies": "AF_UNIX AF_INET AF_INET6",
    }
    assert {name: unit_settings[f"Service.{name}"] for name in expected} == {
        name: [value] for name, value in expected.items()
    }
    assert f"MEMORY_WORKSPACE={unit_settings['Service.ReadWritePaths'][0]}" in unit_settings["Service.Environment"]


@table("unit", [WORKER, FRONT])
def test_those_of_a_fleet_come_back(unit: Path) -> None:
    """As often as the database goes away; each has a cache folder of its own, and may write nothing else."""
    unit_settings = settings(unit)
    name = f"%S/memory-fleet/{'worker' if unit == WORKER else 'front'}-%i"
    assert [f"-{name}"] == unit_settings["Service.ReadWritePaths"]
    assert f"MEMORY_FLEET__CACHE={name}" in unit_settings["Service.Environment"]
    expected = {
        "Unit.StartLimitIntervalSec": "0",
        "Service.Restart": "on-failure",
        "Service.RestartPreventExitStatus": "2 75",
        "Service.StateDirectory": name.removeprefix("%S/"),
        "Service.ProtectSystem": "strict",
        "Service.ProtectHome": "read-only",
        "Service.NoNewPrivileges": "yes",
        "Install.WantedBy": "default.target",
    }
    assert {setting: [value] for setting, value in expected.items()} == {one: unit_settings[one] for one in expected}


def test_every_setting_has_a_reason() -> None:
    """A comment stands above each setting of a service or a timer, or above the few that belong together."""
    for unit in UNITS:
        for section in unit.read_text().split("\n[")[2:]:
            text = section.partition("\n")[2].strip()
            assert text.startswith("# ") or "WantedBy" in text, unit.name
            unexplained = max(len(group.splitlines()) for group in re.split(r"(?m)^# .*\n", text))
            assert unexplained <= 5, unit.name


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd-analyze, which this machine lacks")
def test_systemd_understands_them() -> None:
    """Systemd's own check finds nothing to complain about."""
    instances = [FOLDER / timer.name.replace(".timer", ".service") for timer in TIMERS]
    named = ("memory-failed@memory.service", "memory-fleet-worker@1", "memory-fleet-front@1")
    instances += [FOLDER / f"{name}.service" for name in named]
    units = [str(unit) for unit in (*TIMERS, *instances, INDEX, WHOLE)]
    with TemporaryDirectory(dir="/tmp") as folder:  # in which the paths of sockets are short enough
        done = subprocess.run(
            ["systemd-analyze", "verify", "--user", *units],
            env={"XDG_RUNTIME_DIR": folder, "HOME": folder, "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, "")
