"""The folder that belongs to the people: files, locks, and what stands where."""
