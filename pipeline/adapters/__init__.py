"""The outside world, a folder for each kind of thing. Only `pipeline.app` builds what is here."""
