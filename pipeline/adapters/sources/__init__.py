"""Transcript sources: a folder for each format, with `KIND`, `default_roots` and `open_source`; and what they share."""
