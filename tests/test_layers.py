"""What the import contracts in pyproject.toml cannot say about who may know whom."""

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.support.tables import table

ROOT = Path(__file__).parents[1]
OURS = ("pipeline", "jobs", "schemas")
A_JOB_MAY_IMPORT = (
    "jobs",
    "schemas",
    "pipeline.drafts",
    "pipeline.job",
    "pipeline.agents",
    "pipeline.markdown",
    "pipeline.entries",
    "pipeline.facts",
    "pipeline.language",
)
HANDS = {"open", "print", "input", "exec", "eval", "compile", "breakpoint"}
CLOCKS = {"now", "utcnow", "today"}
LONGEST_FILE = 600
FORKS = {"os.fork", "os.forkpty", "pty.fork", "multiprocessing", "concurrent.futures.ProcessPoolExecutor"}
THE_ONE_THAT_FORKS = "pipeline.process.supervisor"


def _modules(*packages: str) -> list[Path]:
    return [file for package in packages for file in sorted((ROOT / package).rglob("*.py"))]


def _name(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


@dataclass(frozen=True)
class Named:
    """The modules that a file imports, anywhere in it, and the dotted names that it uses besides."""

    imported: frozenset[str]
    dotted: frozenset[str]


@cache
def _named(file: Path) -> Named:
    """What a file names; it is parsed once for all tests."""
    imported, dotted = set[str](), set[str]()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported.update(name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            imported.add("." * node.level + (node.module or ""))
            dotted.update(f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            dotted.add(f"{node.value.id}.{node.attr}")
    return Named(frozenset(imported), frozenset(dotted))


def _files_of(modules: tuple[str, ...]) -> list[Path]:
    """The files of modules and packages."""
    paths = [ROOT / Path(*module.split(".")) for module in modules]
    return [
        file for path in paths for file in (sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")])
    ]


def _inside(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def test_a_job_imports_of_ours_only_what_has_no_hands() -> None:
    """Of ours, a job knows declarations, blocks, provenance, the fold, values and how to count; and so do these."""
    ours = {
        (file, module)
        for file in _files_of(A_JOB_MAY_IMPORT)
        for module in _named(file).imported
        if _inside(module, OURS)
    }
    assert set() == {(_name(file), module) for file, module in ours if not _inside(module, A_JOB_MAY_IMPORT)}


def test_a_job_opens_nothing_and_asks_no_clock() -> None:
    """What needs no import is not used either: a job is a pure function of its run."""
    crossings = set[tuple[str, str]]()
    for file in _modules("jobs"):
        nodes = [*ast.walk(ast.parse(file.read_text(encoding="utf-8")))]
        calls = [node.func for node in nodes if isinstance(node, ast.Call)]
        names = {call.id for call in calls if isinstance(call, ast.Name)}
        methods = {call.attr for call in calls if isinstance(call, ast.Attribute)}
        crossings |= {(_name(file), call) for call in (names & HANDS) | (methods & CLOCKS)}
    assert set() == crossings


def test_the_architecture_names_what_a_job_may_import() -> None:
    """The page has the same list."""
    page = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
    rule = page.partition("**A job has no side effects.**")[2].partition("\n- ")[0]
    named = {module.replace("`.", "`pipeline.").strip("`") for module in re.findall(r"`(?:pipeline)?\.?[a-z.]+`", rule)}
    assert set(A_JOB_MAY_IMPORT) == named


def test_every_import_names_its_package() -> None:
    """No relative import, so that a contract can be read off the text of a file."""
    relative = [
        file.name for file in _modules(*OURS) if any(module.startswith(".") for module in _named(file).imported)
    ]
    assert relative == []


def test_no_file_is_longer_than_a_reader_can_hold() -> None:
    """A file of more than 600 lines is two ideas; so is a file of tests."""
    long = [
        file
        for file in _modules(*OURS, "tests", "benchmarks", "docs")
        if len(file.read_text(encoding="utf-8").splitlines()) > LONGEST_FILE
    ]
    assert long == []


# What runs inside another program's process, such as MCP, never forks: it has threads, and a fork copies only one.


def module_name(file: Path) -> str:
    """The dotted name of a file's module."""
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


FILES = {module_name(file): file for package in OURS for file in sorted((ROOT / package).rglob("*.py"))}


def names_in(file: Path) -> frozenset[str]:
    """What a file imports, also inside its functions, and the dotted names that it uses."""
    return _named(file).imported | _named(file).dotted


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


@table("start", ["pipeline.surfaces.mcp", "pipeline.service", "pipeline.app"])
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
