"""The vectors in a folder: Qdrant Edge."""
