"""Corrections by people: undo, forget, adopt, links and reviews, each a use case of its own."""
