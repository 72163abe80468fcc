"""HTTP: the same use cases as the command line, for programs. It parses, calls and renders; nothing else."""
