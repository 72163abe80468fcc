"""Models behind servers."""
