"""What runs inside another program's process, such as MCP, never forks: it has threads, and a fork copies only one."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OURS = ("pipeline", "jobs", "schemas")
FORKS = {"os.fork", "os.forkpty", "pty.fork", "multiprocessing", "concurrent.futures.ProcessPoolExecutor"}
THE_ONE_THAT_FORKS = "pipeline.process.supervisor"


def module_name(file: Path) -> str:
    """The dotted name of a file's module."""
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


FILES = {module_name(file): file for package in OURS for file in sorted((ROOT / package).rglob("*.py"))}


@cache
def names_in(file: Path) -> frozenset[str]:
    """What a file imports, also inside its functions, and the dotted names that it uses."""
    return frozenset(_names_in(file))


def _names_in(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{node.value.id}.{node.attr}"


def forks(file: Path) -> set[str]:
    """The ways to fork that a file knows."""
    return {way for way in FORKS for name in names_in(file) if name == way or name.startswith(f"{way}.")}


def reachable(start: str) -> set[str]:
    """The modules of ours that are imported from a package, sooner or later."""
    names, left = set[str](), [name for name in FILES if name == start or name.startswith(f"{start}.")]
    while left:
        name = left.pop()
        if name in names or name not in FILES:
            continue
        names.add(name)
        left += names_in(FILES[name])
    return names


@pytest.mark.parametrize("start", ["pipeline.surfaces.mcp", "pipeline.service", "pipeline.app"])
def test_nothing_that_a_server_imports_can_fork(start: str) -> None:
    """Neither the supervisor nor a library's way; the walk goes as far as the engine, which runs are made of."""
    modules = reachable(start)
    assert {"pipeline.index.search.search", "pipeline.engine.context"} <= modules
    assert {name: ways for name in modules if (ways := forks(FILES[name]))} == {}


def test_only_the_supervisor_forks() -> None:
    """So it is the one module to keep out."""
    assert [THE_ONE_THAT_FORKS] == [name for name, file in FILES.items() if forks(file)]


def test_a_command_that_needs_a_process_of_its_own_forks() -> None:
    """The walk finds the supervisor where it is."""
    assert THE_ONE_THAT_FORKS in reachable("pipeline.surfaces.cli")
