"""Transcript sources: a module or folder for each format, whose `KIND` says how a source is made."""
