"""The page of one session of an agent."""
