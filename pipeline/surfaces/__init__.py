"""The surfaces of the memory for people and programs: a surface parses, calls and renders; nothing else."""
