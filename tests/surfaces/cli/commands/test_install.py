"""`memory serve install`."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from pipeline.install import signature
from pipeline.scheduling.registry import discover
from pipeline.surfaces.cli.terminal.machine import data_folder
from tests.support.processes.command_line import Said

FOLDERS = ("w", "with a space 100%", "%h %i %%", 'it\'s "quoted" \\', "pamięć", "记忆 記憶")
TIMERS = {f"memory-job@{job.name}.timer" for job in discover() if job.clock}


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """Not where pytest has it: a service does not see what lies in /tmp, and is not installed for it."""
    with TemporaryDirectory(dir="/dev/shm") as folder:
        yield Path(folder)


@pytest.fixture
def with_systemd(tmp_path: Path) -> str:
    """A `PATH` on which there is a systemctl, whether this machine has one or not; nothing here calls it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "systemctl").touch(mode=0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


@pytest.fixture
def units(home: Path) -> Path:
    """The folder of this user's units."""
    return home / ".config" / "systemd" / "user"


@pytest.fixture
def install(call: Callable[..., Said], with_systemd: str) -> Callable[..., Said]:
    """Call `memory serve install --systemd` for a workspace, on a machine with systemd."""

    def _install(root: Path, *words: str, **variables: str) -> Said:
        environment = {"PATH": with_systemd, "XDG_CONFIG_HOME": ""} | variables
        return call("serve", "install", "--systemd", "--workspace", root, *words, **environment)

    return _install


def made(folder: Path) -> Path:
    """A workspace with nothing in it."""
    folder.mkdir(parents=True)
    (folder / "memory.toml").touch()
    return folder


def names(folder: Path) -> set[str]:
    """What stands in a folder."""
    return {file.name for file in folder.iterdir()}


@pytest.mark.parametrize("kind", ["--user", "--system", "--timers"])
@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd-analyze, which this machine lacks")
def test_systemd_understands_the_units(kind: str, tmp_path: Path, units: Path, install: Callable[..., Said]) -> None:
    """Its own check has nothing to say of them, whatever the workspaces are called."""
    units.mkdir(parents=True)
    for number, folder in enumerate(FOLDERS):
        said = install(made(tmp_path / folder), "--print", kind, "--name", str(number))
        for part in said.out.split("# /")[1:]:
            path, _, text = part.partition("\n")
            (units / Path(path).name).write_text(text)
    instances = [name.replace("failed@", "failed@x").replace("job@.", "job@micro_sync.") for name in names(units)]
    done = subprocess.run(
        ["systemd-analyze", "verify", "--system" if kind == "--system" else "--user", *instances],
        env={"XDG_RUNTIME_DIR": str(tmp_path), "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        cwd=units,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (0, "") == (done.returncode, done.stderr)
    assert len(instances) == len(FOLDERS) * (len(TIMERS) + 3 if kind == "--timers" else 2)


def test_writes_the_units_and_says_what_to_do(tmp_path: Path, units: Path, install: Callable[..., Said]) -> None:
    """The service and the example of `OnFailure`; then the commands that start it."""
    root = made(tmp_path / "w")
    said = install(root)
    assert 0 == said.code
    assert {"memory.service", "memory-failed@.service"} == names(units)
    text = (units / "memory.service").read_text()
    assert f'Environment="MEMORY_WORKSPACE={root}"\n' in text
    for command in ("systemctl --user daemon-reload", "enable --now memory.service", "loginctl enable-linger"):
        assert command in said.out


def test_keeps_to_the_folder_of_settings(tmp_path: Path, install: Callable[..., Said]) -> None:
    """`XDG_CONFIG_HOME` says where, if it is a whole path."""
    root = made(tmp_path / "w")
    assert 0 == install(root, XDG_CONFIG_HOME=str(tmp_path / "c")).code
    assert "memory.service" in names(tmp_path / "c" / "systemd" / "user")


def test_only_shows(tmp_path: Path, home: Path, install: Callable[..., Said]) -> None:
    """With `--print` each unit stands below its path, and nothing is written; it needs no systemd."""
    said = install(made(tmp_path / "w"), "--print", PATH="")
    assert said.out.startswith(f"# {home}/.config/systemd/user/memory.service\n# Written by `memory serve install`")
    assert [] == list(home.iterdir())


def test_programs_read_what_was_done(tmp_path: Path, units: Path, install: Callable[..., Said]) -> None:
    """Each unit with its state, and the commands that are left to the person."""
    root = made(tmp_path / "w")
    for words, state, last in (
        ((), "written", "loginctl enable-linger"),
        ((), "unchanged", "loginctl enable-linger"),
        (("--remove",), "removed", "systemctl --user daemon-reload"),
    ):
        [report] = install(root, *words, "--json").records
        assert {str(units / "memory.service"): state, str(units / "memory-failed@.service"): state} == {
            unit["path"]: unit["state"] for unit in report["units"]
        }
        assert last == report["commands"][-1]


def test_a_unit_of_the_system(tmp_path: Path, install: Callable[..., Said]) -> None:
    """It belongs into /etc and runs as the owner of the workspace."""
    root = made(tmp_path / "w")
    said = install(root, "--system", "--print")
    assert said.out.startswith("# /etc/systemd/system/memory.service\n")
    assert f"\nUser={root.owner()}\n" in said.out


def test_a_second_time_changes_nothing(tmp_path: Path, units: Path, install: Callable[..., Said]) -> None:
    """That is said, and nothing has to be started anew."""
    root = made(tmp_path / "w")
    install(root)
    before = (units / "memory.service").stat().st_mtime_ns
    said = install(root)
    assert f"As it should be already: {units}/memory.service" in said.out
    assert "try-restart" not in said.out
    assert before == (units / "memory.service").stat().st_mtime_ns


def test_replaces_what_it_wrote(tmp_path: Path, units: Path, install: Callable[..., Said]) -> None:
    """With other options the unit becomes another one, and takes a restart."""
    root = made(tmp_path / "w")
    install(root)
    said = install(root, "--no-namespaces")
    assert "systemctl --user try-restart memory.service" in said.out
    assert "PrivateTmp" not in (units / "memory.service").read_text()


@pytest.mark.parametrize("changed", ["[Unit]\n", "", None])
def test_leaves_alone_what_is_not_its_own(
    changed: str | None, tmp_path: Path, units: Path, install: Callable[..., Said]
) -> None:
    """A unit that a person wrote or changed stays, and so does all else, unless `--force` is given."""
    root = made(tmp_path / "w")
    install(root)
    (units / "memory-failed@.service").unlink()
    file = units / "memory.service"
    file.write_text(file.read_text() + "# mine\n" if changed is None else changed)
    before = file.read_text()
    said = install(root)
    assert 2 == said.code
    assert f"{file} was " in said.err
    assert "--force" in said.err
    assert ({"memory.service"}, before) == (names(units), file.read_text())
    assert 0 == install(root, "--force").code
    signed = signature(file.read_text())
    assert signed is not None
    assert signed.intact


def test_every_workspace_has_its_units(tmp_path: Path, units: Path, install: Callable[..., Said]) -> None:
    """The first goes by the short name, the others by those of their folders, also when these are the same."""
    for folder in ("w", "Praca", "a/work", "b/work"):
        install(made(tmp_path / folder))
    services = sorted(name for name in names(units) if "@" not in name)
    assert ["memory-praca.service", "memory-work.service", "memory.service"] == [
        name for name in services if name.count("-") < 2
    ]
    assert 4 == len(services)
    assert "OnFailure=memory-praca-failed@%n.service" in (units / "memory-praca.service").read_text()
    assert "already" in install(tmp_path / "b" / "work").out
    assert 8 == len(names(units))


def test_a_name_that_is_given(tmp_path: Path, units: Path, install: Callable[..., Said]) -> None:
    """It is kept to the next time; one that another workspace has is refused, and so is one that is none."""
    one, two = made(tmp_path / "one"), made(tmp_path / "two")
    install(one, "--name", "home")
    assert "already" in install(one).out
    assert {"memory-home.service", "memory-home-failed@.service"} == names(units)
    said = install(two, "--name", "home", "--force")
    assert (2, True) == (said.code, f"is for the workspace {one}" in said.err)
    assert 2 == install(two, "--name", "a b").code


def test_the_timers_take_the_place_of_the_service(tmp_path: Path, units: Path, install: Callable[..., Said]) -> None:
    """With `--timers` there is one for each job, and the index's unit; the service that is there too is named."""
    root = made(tmp_path / "w")
    install(root)
    said = install(root, "--timers")
    assert TIMERS | {"memory-job@.service", "memory-index.service"} < names(units)
    assert all(timer in said.out for timer in TIMERS)
    assert "systemctl --user disable --now memory.service" in said.out
    assert "disable --now memory-index.service memory-job@daily_wrapup.timer" in install(root).out


def test_removes_what_it_wrote(tmp_path: Path, units: Path, install: Callable[..., Said]) -> None:
    """All of this workspace, with the links that start it, and nothing of another or of a person."""
    one, two = made(tmp_path / "one"), made(tmp_path / "two")
    for words in ([one], [one, "--timers"], [two]):
        install(*words)
    (units / "memory.timer").write_text("[Timer]\n")
    wants = units / "default.target.wants"
    wants.mkdir()
    for name in ("memory.service", "memory-two.service"):
        (wants / name).symlink_to(units / name)
    said = install(one, "--remove")
    assert "systemctl --user stop" in said.out
    expected = {"memory.timer", "memory-two.service", "memory-two-failed@.service", "default.target.wants"}
    assert expected == names(units)
    assert {"memory-two.service"} == names(wants)
    assert "Nothing in" in install(one, "--remove").out


def test_removes_nothing_that_was_changed(tmp_path: Path, units: Path, install: Callable[..., Said]) -> None:
    """Not even the rest, unless `--force` is given."""
    root = made(tmp_path / "w")
    install(root)
    with (units / "memory.service").open("a") as file:
        file.write("# mine\n")
    assert 2 == install(root, "--remove").code
    assert {"memory.service", "memory-failed@.service"} == names(units)
    assert 0 == install(root, "--remove", "--force").code
    assert set() == names(units)


def test_without_systemd(tmp_path: Path, home: Path, install: Callable[..., Said]) -> None:
    """It says so, and gives the line for cron, with the percent sign that cron would take for the end of the line."""
    said = install(made(tmp_path / "100% w"), PATH="")
    assert 2 == said.code
    assert "There is no systemctl here" in said.err
    assert "/memory run --workspace '" in said.err
    assert "100\\% w'" in said.err
    assert [] == list(home.iterdir())


@pytest.mark.parametrize("place", ["/tmp", "/var/tmp"])  # noqa: S108 - where a person may have made a workspace
def test_refuses_a_workspace_that_a_service_cannot_see(place: str, home: Path, install: Callable[..., Said]) -> None:
    """It is hidden by the /tmp that the service has of its own; the units can be looked at, and one without such."""
    with TemporaryDirectory(dir=place) as folder:
        root = made(Path(folder) / "w")
        said = install(root)
        assert (2, "") == (said.code, said.out)
        assert f"{root} is no place for a service" in said.err
        assert [] == list(home.iterdir())
        assert 0 == install(root, "--print").code
        assert 0 == install(root, "--no-namespaces").code


def test_refuses_a_path_that_no_unit_holds(tmp_path: Path, home: Path, install: Callable[..., Said]) -> None:
    """A line break in it would become a setting."""
    said = install(made(tmp_path / "w\n[Service]"))
    assert (2, True) == (said.code, "cannot hold" in said.err)
    assert [] == list(home.iterdir())


def test_says_where_it_cannot_write(tmp_path: Path, home: Path, install: Callable[..., Said]) -> None:
    """The file, and why; nothing else is left."""
    (home / ".config").touch()
    said = install(made(tmp_path / "w"))
    assert 1 == said.code
    assert "memory.service" in said.err


def test_systemd_has_to_be_said(workspace: Path, call: Callable[..., Said]) -> None:
    """It is wrong use without, and what else keeps a program running is told what to run."""
    said = call("serve", "install", "--workspace", workspace)
    assert 2 == said.code
    assert "--systemd" in said.err
    assert "memory serve" in said.err


def test_the_templates_are_all_used(tmp_path: Path, units: Path, install: Callable[..., Said]) -> None:
    """Both ways together write each unit of a workspace that is shipped."""
    root = made(tmp_path / "w")
    install(root)
    install(root, "--timers")
    shipped = {file.name for file in data_folder("systemd").iterdir()}
    assert {name for name in shipped if "fleet" not in name} == names(units)
