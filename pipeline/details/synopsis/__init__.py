"""Synopses: what one needs to know of a large text to decide whether to read it, by code, a module for each type."""
