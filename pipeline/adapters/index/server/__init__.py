"""The vectors on a server."""
