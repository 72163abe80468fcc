"""The pages of what is known: the world, what the agent did, beliefs, and a page for each entity."""
