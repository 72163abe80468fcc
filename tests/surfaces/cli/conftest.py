"""Fixtures of the command."""

from tests.support.workspaces.commanded import (
    afternoon,
    call,
    declared,
    filled,
    filled_once,
    home,
    judged,
    judged_once,
    memory,
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
