"""Finding the workspace."""

import os
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import pytest

from pipeline.errors import PathRefused, WorkspaceMissing
from pipeline.settings.locate import find_workspace, setting_of, variable_of
from pipeline.surfaces.cli.terminal.environment import working_folder


def test_the_workspace_is_the_one_named(tmp_path: Path) -> None:
    """By hand, else by the environment, else the nearest upward."""
    one, two = tmp_path / "one", tmp_path / "two"
    for path in (one, two):
        (path / "deep" / "er").mkdir(parents=True)
        (path / "memory.toml").write_text("")
    environment = {"MEMORY_WORKSPACE": str(two)}
    assert one == find_workspace(str(one), environment, two)
    assert two == find_workspace(None, environment, one)
    assert one == find_workspace(None, {}, one / "deep" / "er")
    with pytest.raises(WorkspaceMissing, match="memory init"):
        find_workspace(str(tmp_path), {}, one)


def test_a_home_folder_of_nobody(tmp_path: Path) -> None:
    """A slip in the name of a user is told."""
    with pytest.raises(PathRefused, match="~nobody-is-called-so/w begins in the home folder of nobody"):
        find_workspace("~nobody-is-called-so/w", {}, tmp_path)


def test_a_folder_that_nothing_can_name(tmp_path: Path) -> None:
    """The list, the units and the configurations of agents are text: it is refused before anything is written."""
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    (folder / "memory.toml").write_text("")
    for named, here in ((str(folder), tmp_path), (None, folder)):
        with pytest.raises(PathRefused, match="has a name that is not UTF-8"):
            find_workspace(named, {}, here)


def test_a_working_folder_that_is_gone(tmp_path: Path) -> None:
    """A terminal may stay in it; what has its whole path is found all the same."""
    (tmp_path / "gone").mkdir()
    (tmp_path / "memory.toml").write_text("")
    with chdir(tmp_path / "gone"):
        (tmp_path / "gone").rmdir()
        for named in (None, ".", "w"):
            with pytest.raises(PathRefused, match="is relative to the current folder, which is gone"):
                find_workspace(named, {}, Path())
        assert tmp_path == find_workspace(str(tmp_path), {}, Path())
        assert "/" == working_folder()
    with chdir(tmp_path):
        assert (tmp_path, str(tmp_path)) == (find_workspace(None, {}, Path()), working_folder())


def test_finding_it_imports_next_to_nothing() -> None:
    """A command that only asks the service has to start at once."""
    code = "import sys, pipeline.settings.locate; print(*sys.modules)"
    lines = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert set() == {"pydantic", "tomllib", "zoneinfo"}.intersection(lines)
    assert ["schemas", "schemas.exit_codes"] == sorted(name for name in lines if name.startswith("schemas"))


def test_a_variable_and_its_setting() -> None:
    """The names of a setting's path are joined by two underscores, after a beginning that is ours."""
    pairs = {"MEMORY_MODEL__API_KEY": ("model", "api_key"), "MEMORY_LOG_LEVEL": ("log_level",)}
    assert list(pairs.items()) == [(variable_of(path), setting_of(name)) for name, path in pairs.items()]
