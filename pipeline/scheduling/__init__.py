"""The jobs, and their windows."""
