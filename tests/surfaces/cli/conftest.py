"""Fixtures of the command."""

from tests.support.workspaces.commanded import afternoon, call, filled, home, judged, memory, workspace

__all__ = ["afternoon", "call", "filled", "home", "judged", "memory", "workspace"]
