"""Fixtures of the command."""

from tests.support.workspaces.commanded import afternoon, call, declared, filled, home, judged, memory, workspace

__all__ = ["afternoon", "call", "declared", "filled", "home", "judged", "memory", "workspace"]
