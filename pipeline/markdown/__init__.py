"""Blocks and byte-preserving splices: what in a Markdown file is ours, and how to touch nothing else."""
