"""How long a wake-up may be. Light to import, for the command that asks a service for it."""

WAKE_BUDGET = 800
"""Tokens of a wake-up, unless the agent asks for others."""

PAGE_BUDGET = 2_000
"""Tokens of `MEMORY.md` at the start of a session: what agents take from a hook is cut at some 10,000 characters."""
