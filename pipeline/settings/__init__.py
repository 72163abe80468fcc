"""The place of a workspace, and its settings."""
