"""Diagnostic checks of a workspace, and the fixes of `memory doctor`."""
