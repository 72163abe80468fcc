"""Summaries of an agent's sessions, in two layers: of so many sessions, and of so many such summaries."""
