"""The configuration of agents: what of it is ours, how it gets in, and how it comes out again."""
