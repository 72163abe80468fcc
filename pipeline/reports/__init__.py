"""What is shown of a workspace, as values. Nothing here writes."""
