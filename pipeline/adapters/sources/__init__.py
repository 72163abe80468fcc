"""Transcript sources: one file, one agent format. A module declares `KIND`, `default_roots` and `open_source`."""
