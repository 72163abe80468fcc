"""Where people and programs meet the memory: a surface parses, calls and renders; nothing else."""
