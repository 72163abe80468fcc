"""Protocols of the outside world, as the engine needs it."""
