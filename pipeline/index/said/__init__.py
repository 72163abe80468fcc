"""The index of transcripts: their words are masked and cited, and are no memory."""
