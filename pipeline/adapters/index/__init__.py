"""Where the index is kept."""
