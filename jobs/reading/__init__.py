"""The reading of sessions with a model: one question a piece, of which each job takes its part of the answer."""
