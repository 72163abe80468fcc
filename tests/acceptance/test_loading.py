"""Short commands import no more of the product than they need."""

from pathlib import Path

import pytest

from tests.support.processes.imports import TREE, imported_files, lines_of, run_module
from tests.support.workspaces.sample_workspace import sample

COMMAND = "pipeline.surfaces.cli.main"
MOST = {
    "run": ((COMMAND, "run"), 25_320),
    "search": ((COMMAND, "search", "invoice"), 26_320),
    "wake": ((COMMAND, "wake"), 11_790),
    "memory-hook": (("pipeline.surfaces.hook.main", "claude-code"), 220),
}
"""The lines of ours that a command may import when there is nothing to do, and no service runs."""


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace in which all work is done, with an index of it."""
    root = sample(tmp_path_factory.mktemp("done")).root
    for name in ("run", "search"):
        assert run_module(MOST[name][0], root).returncode == 0
    return root


@pytest.mark.parametrize("name", MOST)
def test_the_lines_that_an_idle_command_imports(done: Path, name: str) -> None:
    """A command gets slower with each module that it imports and does not use; a failure lists all of them."""
    words, most = MOST[name]
    files = imported_files(words, done)
    assert lines_of(files) <= most, "\n".join(str(path.relative_to(TREE)) for path in files)
