"""What the import contracts in pyproject.toml cannot say about who may know whom."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

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


def _modules(*packages: str) -> list[Path]:
    return [file for package in packages for file in sorted((ROOT / package).rglob("*.py"))]


def _name(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def _imported(file: Path) -> set[str]:
    """The modules that a file imports, anywhere in it."""
    names = set[str]()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add("." * node.level + (node.module or ""))
    return names


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
        (file, module) for file in _files_of(A_JOB_MAY_IMPORT) for module in _imported(file) if _inside(module, OURS)
    }
    assert set() == {(_name(file), module) for file, module in ours if not _inside(module, A_JOB_MAY_IMPORT)}


def test_a_job_opens_nothing_and_asks_no_clock() -> None:
    """What needs no import is not used either: a job is a pure function of its run."""
    crossings = set[tuple[str, str]]()
    for file in _modules("jobs"):
        nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
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
    relative = [file.name for file in _modules(*OURS) if any(module.startswith(".") for module in _imported(file))]
    assert relative == []


def test_no_file_is_longer_than_a_reader_can_hold() -> None:
    """A file of more than 600 lines is two ideas; so is a file of tests."""
    long = [
        file
        for file in _modules(*OURS, "tests", "benchmarks", "docs")
        if len(file.read_text(encoding="utf-8").splitlines()) > LONGEST_FILE
    ]
    assert long == []


def test_the_command_line_starts_without_what_it_may_not_need() -> None:
    """`memory --version` pays for none of the heavy libraries."""
    code = "import sys, pipeline.surfaces.cli.main; print(*sys.modules)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(ended.stdout.split())
    assert ({"click"}, set()) == (
        {"click"} & loaded,
        {"openai", "apscheduler", "structlog", "detect_secrets", "rich"} & loaded,
    )


@pytest.mark.parametrize("command", ["run", "search", "get", "wake", "know"])
def test_what_only_watches_or_asks_stays_small(command: str) -> None:
    """The process that watches a run, and a command that a service answers, load no library that checks values."""
    code = f"import sys, pipeline.surfaces.cli.main, pipeline.surfaces.cli.commands.{command}; print(*sys.modules)"
    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    )
    assert {"pydantic", "pipeline.engine.context", "pipeline.app.engine"} & loaded == set()


def test_a_search_loads_what_jobs_declare_and_none_of_their_work() -> None:
    """What files there are is told by the targets alone; reading a session or telling a day takes long to load."""
    code = "import sys, pipeline.app.index; pipeline.app.index.discover(); print(*sys.modules)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(ended.stdout.split())
    assert ({"jobs.micro_sync"}, set()) == (
        {"jobs.micro_sync"} & loaded,
        {"jobs.extraction", "jobs.resolution", "jobs.wrapup", "pipeline.entries.voice.phrases", "sqlite3"} & loaded,
    )
