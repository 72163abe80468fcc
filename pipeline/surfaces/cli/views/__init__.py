"""How results look for a person."""
