"""The page for people: the same use cases as the command line, as HTML that also works without a script."""
