"""The words of the index in a folder: Tantivy, an engine within this process."""
