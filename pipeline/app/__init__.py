"""The composition roots: from settings to running things."""
