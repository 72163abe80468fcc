"""Back-ups: a folder of signed generations, of which each is a whole state of a workspace.

docs/explanation/backups.md describes the format and the promise.
"""
