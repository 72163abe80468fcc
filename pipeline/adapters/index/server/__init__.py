"""The index on a server."""
