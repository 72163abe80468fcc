"""The parts of the page, by what a person looks at."""
