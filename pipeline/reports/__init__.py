"""Reports on a workspace, as values. Nothing here writes."""
