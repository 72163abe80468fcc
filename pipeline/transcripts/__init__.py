"""Which transcripts there are, and what of them cannot be read."""
