"""What a text is found by: its words as terms, in the languages that people write."""
