"""The real programs of agents, from npm, each with a HOME of the test's own and a provider on this machine."""

import os
from pathlib import Path

import pytest

from tests.clients.owners import Owner

_PROGRAMS = Path(__file__).parents[2] / ".clients/node_modules/.bin"


@pytest.fixture(params=["claude", "codex"])
def owner(request: pytest.FixtureRequest, tmp_path: Path) -> Owner:
    """The owner of a program, whose HOME has one of each that must not get into a question."""
    program = _PROGRAMS / request.param
    if not os.access(program, os.X_OK):
        pytest.skip(f"{request.param} is not installed; `make clients` installs it")
    return Owner(request.param, program, tmp_path)
