"""Whether searching finds and cites what is remembered."""
