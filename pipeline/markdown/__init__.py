"""Our blocks in Markdown files, and splices that preserve every other byte."""
