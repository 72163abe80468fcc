"""The rules of facts: their lines in a file, the names in them, what holds of them, and how sure it is."""
