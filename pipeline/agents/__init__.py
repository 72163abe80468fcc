"""The rules of agents' own memory: the lines of a journal, what they come to, and the gate for every change."""
