"""The index in a folder: Qdrant Edge."""
