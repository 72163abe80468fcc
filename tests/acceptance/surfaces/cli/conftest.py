"""Fixtures of the command, whose `memory` is a process of its own here."""

from pathlib import Path

import pytest

from tests.support.processes.command_line import CommandLine
from tests.support.workspaces.commanded import (
    afternoon,
    call,
    declared,
    filled,
    filled_once,
    home,
    judged,
    judged_once,
    workspace,
)

__all__ = [
    "afternoon",
    "call",
    "declared",
    "filled",
    "filled_once",
    "home",
    "judged",
    "judged_once",
    "memory",
    "workspace",
]


@pytest.fixture
def memory(home: Path) -> CommandLine:
    """Call a command in a process of its own."""
    return CommandLine(home)
