"""A file for each version."""
