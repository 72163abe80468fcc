"""The server that takes the transcripts of a laptop."""
