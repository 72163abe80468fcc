"""The file that names the socket of a service, in a module without imports: for a process that has to start at once."""

ADDRESS = ".memory/service/socket"
"""A text file, relative to the workspace."""
