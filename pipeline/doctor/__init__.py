"""What may be wrong, and what mends it."""
