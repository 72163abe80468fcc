"""Keeping the index fresh: what has changed goes in, what is gone leaves, and no crash harms it."""
