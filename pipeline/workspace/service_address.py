"""Where a service names its socket, in a module that imports nothing: for a process that has to start at once."""

ADDRESS = ".memory/service/socket"
"""A text file, relative to the workspace."""
