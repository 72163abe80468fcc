"""Units of systemd for a workspace."""
