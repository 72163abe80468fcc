"""The command as real processes."""
