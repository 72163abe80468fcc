"""The pages of what an agent always knows."""
