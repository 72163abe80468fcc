"""Corrections by people: undo, forget and adopt, each a use case of its own."""
