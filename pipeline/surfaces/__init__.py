"""The doors: each parses, calls and renders; nothing else."""
