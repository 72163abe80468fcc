"""Fixtures of the command, whose `memory` is a process of its own here."""

from pathlib import Path

import pytest

from tests.support.processes.command_line import CommandLine
from tests.support.workspaces.commanded import afternoon, call, declared, filled, home, judged, workspace

__all__ = ["afternoon", "call", "declared", "filled", "home", "judged", "memory", "workspace"]


@pytest.fixture
def memory(home: Path) -> CommandLine:
    """Call a command in a process of its own."""
    return CommandLine(home)
