"""The page that an agent reads first, and its size: our part, less the lines of the person."""

PATH = "MEMORY.md"

LINES = 200

CHARACTERS = 20_000
