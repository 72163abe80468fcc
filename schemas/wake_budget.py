"""How long a wake-up may be. Light to import, for the command that asks a service for it."""

WAKE_BUDGET = 800
"""Tokens of a wake-up, unless the agent asks for others."""
