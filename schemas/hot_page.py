"""The page that an agent reads first, its size (our part, less the lines of the person), and a wake-up's length."""

PATH = "MEMORY.md"

LINES = 200

CHARACTERS = 20_000

WAKE_BUDGET = 800
"""Tokens of a wake-up, unless the agent asks for others."""

PAGE_BUDGET = 2_000
"""The tokens of `MEMORY.md` at the start of a session: agents cut the output of a hook at some 10,000 characters."""
