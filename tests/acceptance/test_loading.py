"""Short commands import no more of the product than they need."""

from pathlib import Path

import pytest

from tests.support.processes.imports import TREE, count_statements, imported_files, run_module
from tests.support.workspaces.sample_workspace import sample

COMMAND = "pipeline.surfaces.cli.main"
MOST = {
    "run": ((COMMAND, "run"), 16_000),
    "search": ((COMMAND, "search", "invoice"), 16_700),
    "wake": ((COMMAND, "wake"), 7_200),
    "memory-hook": (("pipeline.surfaces.hook.main", "claude-code"), 140),
}
"""The statements of ours that a command may import when there is nothing to do, and no service runs."""


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace in which all work is done, with an index of it."""
    root = sample(tmp_path_factory.mktemp("done")).root
    for name in ("run", "search"):
        assert run_module(MOST[name][0], root).returncode == 0
    return root


@pytest.mark.parametrize("name", MOST)
def test_the_statements_that_an_idle_command_imports(done: Path, name: str) -> None:
    """A command gets slower with each module that it imports and does not use; a failure lists all of them."""
    words, most = MOST[name]
    files = imported_files(words, done)
    assert count_statements(files) <= most, "\n".join(str(path.relative_to(TREE)) for path in files)
