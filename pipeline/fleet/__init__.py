"""The fleet: many workspaces on several machines, whose truth is in PostgreSQL.

docs/explanation/fleet.md states the guarantees.
"""
