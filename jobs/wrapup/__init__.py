"""A day's page: sessions cut into pieces, what was found in them checked and merged, and rendered with its sources."""
