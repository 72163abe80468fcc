"""What channels wrap around a person's words."""
