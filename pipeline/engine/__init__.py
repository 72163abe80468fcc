"""One partition from its inputs to its files, and what becomes of what it wrote."""
