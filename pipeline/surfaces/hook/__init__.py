"""Hooks of agents: small programs that an agent runs after each of its tools. They import next to nothing."""
