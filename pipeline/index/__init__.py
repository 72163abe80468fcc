"""The derived index: what goes in, how it is kept fresh, how it is asked."""
