"""Where a workspace is, and its settings."""
