"""What makes vectors, and what ranks."""
