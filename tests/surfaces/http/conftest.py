"""The workspace of the demo, served."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.workspaces.served_demo import ServedWorkspace, served


@pytest.fixture(scope="session")
def reading(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedWorkspace]:
    """A copy of it, served for tests that change nothing: nobody is at work in what others copy."""
    root = tmp_path_factory.mktemp("reading") / "work"
    shutil.copytree(demo, root)
    with served(root) as workspace:
        yield workspace


@pytest.fixture
def changing(demo: Path, tmp_path: Path) -> Iterator[ServedWorkspace]:
    """A copy of it, served for one test."""
    shutil.copytree(demo, tmp_path / "work")
    with served(tmp_path / "work") as workspace:
        yield workspace
