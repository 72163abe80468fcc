"""Evidence of structure in the calls of tools: what was planned, done and left open, by the fields of the records."""
