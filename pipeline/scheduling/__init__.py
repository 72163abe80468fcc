"""Which jobs there are, and which windows they have."""
