"""The outside world, one file a thing. Only `pipeline.app` builds what is here."""
