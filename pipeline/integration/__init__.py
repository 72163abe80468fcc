"""Connecting an agent: what is written into its own configuration, and how that is taken out again."""
