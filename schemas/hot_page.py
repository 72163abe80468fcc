"""The page an agent reads first, and how much may stand on it: our part, less what the person's lines take."""

PATH = "MEMORY.md"

LINES = 200

CHARACTERS = 20_000
