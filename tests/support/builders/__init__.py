"""Files, entries and jobs written by hand."""
