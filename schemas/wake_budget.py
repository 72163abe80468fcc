"""The length of a wake-up. Light to import, for the command that asks a service for it."""

WAKE_BUDGET = 800
"""Tokens of a wake-up, unless the agent asks for others."""

PAGE_BUDGET = 2_000
"""The tokens of `MEMORY.md` at the start of a session: agents cut the output of a hook at some 10,000 characters."""
