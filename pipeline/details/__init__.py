"""Details as text: their keys, placeholders, synopses and pages. Nothing here opens a store or a file."""
