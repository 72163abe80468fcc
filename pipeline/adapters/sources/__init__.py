"""Transcript sources: a module or folder for each format, with `KIND`, `default_roots` and `open_source`."""
