"""The index of what was said in transcripts: masked, cited, and believed by nobody."""
