"""The sentences with which the owner speaks to the memory itself, in three languages, and what is off the record."""
