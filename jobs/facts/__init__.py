"""Facts about the owner and named things, from the owner's words, and about the assistant's deeds."""
