"""`make dist`: builds that can be repeated byte for byte, with lists of their files and of the libraries' licences."""

import hashlib
import os
import re
import shutil
import subprocess
import venv
from pathlib import Path

import pytest
from distribution import build, contents, libraries, licence, list_contents, release

ROOT = Path(__file__).parents[3]
LEFT_OUT = (".git", ".venv", "__pycache__", ".*_cache", "dist", "demo-workspace", ".clients", ".llama", ".hypothesis")
PERMISSIVE = re.compile(r"MIT|BSD|Apache|PSF|MPL|Mozilla|ISC|Zlib|CC0|0BSD")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The wheel and the sdist of the tree."""
    return build(tmp_path_factory.mktemp("dist"))


def test_two_builds_are_equal(built: list[Path], tmp_path: Path) -> None:
    """A copy of the tree elsewhere, with other times and other rights of its files, gives the same bytes."""
    copy = tmp_path / "elsewhere"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT))
    for path in copy.rglob("*"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
        path.chmod(0o700 if path.stat().st_mode & 0o100 else 0o600)
    again = build(tmp_path / "dist", copy)
    assert [path.name for path in built] == [path.name for path in again]
    for first, second in zip(built, again, strict=True):
        assert contents(first) == contents(second)
        assert first.read_bytes() == second.read_bytes(), first.name


def test_the_sdist_gives_the_same_wheel(built: list[Path], tmp_path: Path) -> None:
    """What a packager builds from the sdist is the wheel that was released."""
    wheel, sdist = built
    shutil.unpack_archive(sdist, tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    again, _ = build(tmp_path / "dist", source)
    assert wheel.read_bytes() == again.read_bytes()


def test_every_file_is_listed_with_its_hash(built: list[Path]) -> None:
    """The list begins with the archive's own hash, and then has each file with its bytes."""
    wheel, _ = built
    first, *rest = list_contents(wheel)
    assert f"{hashlib.sha256(wheel.read_bytes()).hexdigest()}  {wheel.name}" == first
    assert list(contents(wheel)) == [line.split()[2] for line in rest]
    assert "pipeline/data/config/memory.toml" in contents(wheel)


def test_every_library_may_be_used_freely() -> None:
    """Every library that comes along has a permissive licence, or one that leaves our code alone."""
    named = {library.name: licence(library) for library in libraries().values()}
    assert {"pydantic", "fastembed", "onnxruntime"} <= set(named)
    assert {} == {name: text for name, text in named.items() if not PERMISSIVE.search(text)}


def test_a_release_has_a_day_in_the_changelog(tmp_path: Path) -> None:
    """The newest release of the changelog is the declared version; else nothing is built."""
    version, day = release()
    assert f"## [{version}] - {day:%Y-%m-%d}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## [0.0.1] - 2020-01-01\n", encoding="utf-8")
    with pytest.raises(ValueError, match=rf"needs `## \[{re.escape(version)}\]"):
        build(tmp_path / "dist", tmp_path)


def test_it_is_installed_and_run_in_a_clean_environment(built: list[Path], tmp_path: Path) -> None:
    """With nothing but the wheel and what it asks for, the demo runs, and finds an answer."""
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    installed = subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--constraint", ROOT / "constraints.txt", built[0]],
        check=False,
        capture_output=True,
        text=True,
    )
    if "Could not find a version" in installed.stderr or "No matching distribution" in installed.stderr:
        pytest.skip("no package registry answers")
    assert 0 == installed.returncode, installed.stderr
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MEMORY_", "PYTHON", "COV"))}
    for command in (
        ["demo", "demo"],
        ["search", "how much deposit do we ask for now?", "--k", "1", "--workspace", "demo"],
        ["doctor", "--workspace", "demo"],
    ):
        ended = subprocess.run(
            [python.with_name("memory"), *command],
            check=False,
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=kept | {"HOME": str(tmp_path)},
        )
        assert 0 == ended.returncode, ended.stderr
