"""What people install is the wheel, so the wheel is what is tested here: its content, and the command run from it."""

import json
import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from email.parser import Parser
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PACKAGES = ("pipeline", "jobs", "schemas")
MANUAL = "share/man/man1/memory.1"
DISTRIBUTION = "agent-memory-pipeline"
OWNERS = f"""
import json
from importlib.metadata import packages_distributions
print(json.dumps({{name: sorted(set(packages_distributions()[name])) for name in {PACKAGES!r}}}))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the tree."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts of an environment with the wheel in it, and the libraries of this one behind it."""
    folder = tmp_path_factory.mktemp("venv")
    venv.create(folder, with_pip=True)
    scripts = folder / "bin"
    subprocess.run(
        [scripts / "python", "-m", "pip", "install", "--no-deps", "--no-index", "--quiet", wheel],
        check=True,
        capture_output=True,
    )
    (packages,) = folder.glob("lib/python*/site-packages")
    # A path file in that folder is not looked into, so the checkout that this environment points to stays out.
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib"))
    return scripts


def _run(scripts: Path, command: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MEMORY_", "PYTHON", "COV"))}
    return subprocess.run(
        [scripts / command, *arguments],
        check=False,
        capture_output=True,
        text=True,
        cwd=folder,
        env=kept | {"HOME": str(folder)},
    )


def _expected() -> set[str]:
    """Every file of our packages, and the data that comes from elsewhere."""
    ours = {path for package in PACKAGES for path in (ROOT / package).rglob("*")}
    names = {path.relative_to(ROOT).as_posix() for path in ours if path.is_file() and "__pycache__" not in path.parts}
    data = {
        path for folder in ("config", "plugins", "systemd") for path in (ROOT / folder).rglob("*") if path.is_file()
    }
    return names | {f"pipeline/data/{path.relative_to(ROOT).as_posix()}" for path in data} | {MANUAL}


def test_the_wheel_holds_all_that_belongs_to_it_and_nothing_else(wheel: Path) -> None:
    """Code, prompts, settings, units and sample sessions are inside; tests and documents are not."""
    with zipfile.ZipFile(wheel) as archive:
        files = {name for name in archive.namelist() if ".dist-info/" not in name}
    inside = {name.partition(".data/data/")[2] or name for name in files}
    assert _expected() == inside


@pytest.mark.parametrize(
    "part",
    [
        "jobs/session.md",
        "jobs/py.typed",
        "pipeline/py.typed",
        "schemas/py.typed",
        "pipeline/data/config/memory.toml",
        "pipeline/data/systemd/memory-job@.service",
        ".reset.2026-",
        "/subagents/",
    ],
)
def test_the_wheel_holds_what_is_easily_left_out(wheel: Path, part: str) -> None:
    """Data beside code, and names that look like rubbish to a packager."""
    with zipfile.ZipFile(wheel) as archive:
        assert any(part in name for name in archive.namelist())


def test_the_wheel_says_what_it_is(wheel: Path) -> None:
    """Its metadata names the licence, the Python it needs, and the one command."""
    with zipfile.ZipFile(wheel) as archive:
        texts = {
            name.rpartition("/")[2]: archive.read(name).decode() for name in archive.namelist() if "-info/" in name
        }
    message = Parser().parsestr(texts["METADATA"])
    assert (message["Name"], message["License-Expression"], message["Requires-Python"]) == (
        DISTRIBUTION,
        "MIT",
        ">=3.11",
    )
    assert "memory = pipeline.surfaces.cli.main:main" in texts["entry_points.txt"]
    assert "MIT License" in texts["LICENSE"]


def test_the_command_comes_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    """What is run below is what was installed, not the checkout."""
    ended = _run(installed, "python", "-c", "import pipeline; print(pipeline.__file__)", folder=tmp_path)
    assert ended.stdout.strip().startswith(str(installed.parent)), ended.stderr


def test_the_installed_command_tells_its_version(installed: Path, tmp_path: Path) -> None:
    """`memory --version` names the version of the distribution."""
    ended = _run(installed, "memory", "--version", folder=tmp_path)
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert (ended.returncode, ended.stdout) == (0, f"memory {version}\n")


def test_the_installed_command_makes_a_workspace(installed: Path, tmp_path: Path) -> None:
    """`memory init` finds its sample settings in the wheel, and what it writes passes its own check."""
    made = _run(installed, "memory", "init", "mine", folder=tmp_path)
    checked = _run(installed, "memory", "config", "check", "--workspace", "mine", folder=tmp_path)
    assert (made.returncode, checked.returncode) == (0, 0), made.stderr + checked.stderr
    assert (tmp_path / "mine" / "memory.toml").is_file()


def test_the_installed_command_shows_its_demo(installed: Path, tmp_path: Path) -> None:
    """`memory demo` finds its sample sessions in the wheel; a second time it changes nothing."""
    first = _run(installed, "memory", "demo", folder=tmp_path)
    pages = {page: page.read_bytes() for page in tmp_path.rglob("*.md")}
    second = _run(installed, "memory", "demo", folder=tmp_path)
    assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
    assert pages == {page: page.read_bytes() for page in tmp_path.rglob("*.md")}
    assert len(pages) > 1


def test_nobody_else_owns_our_names(installed: Path, tmp_path: Path) -> None:
    """Our import names are general words; in an environment of ours no other distribution brings them."""
    ended = _run(installed, "python", "-c", OWNERS, folder=tmp_path)
    assert json.loads(ended.stdout) == {name: [DISTRIBUTION] for name in PACKAGES}


def test_nobody_else_owns_our_names_here() -> None:
    """Neither does a tool of development, where an editable install lists no names of its own."""
    owners = packages_distributions()
    assert {owner for name in PACKAGES for owner in owners.get(name, [])} <= {DISTRIBUTION}
