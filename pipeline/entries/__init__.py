"""Entries: the speakers of their words, their states, and mentions of them in texts."""
