"""The pieces of ours in the configuration of agents: adding them, and removing them again."""
