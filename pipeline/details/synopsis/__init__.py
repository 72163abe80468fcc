"""Synopses: what one needs to know of a large text to decide whether to read it, told by code, a module for each type."""
