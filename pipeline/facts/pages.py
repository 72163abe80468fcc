"""Where the pages of entities stand; it loads nothing else."""

FAMILY = "bank/entities/{page}.md"
"""The pages of entities, as a family."""
