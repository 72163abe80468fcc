"""Pages of an agent's sessions: an archive, and summaries in two layers, of sessions and of such summaries."""
