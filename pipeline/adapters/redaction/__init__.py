"""Finds secrets in text, each module its own way: a kept library, known formats, assignments, numbers, what is said."""
