"""The outside world, one file a thing. Only `pipeline.app.engine` builds what is here."""
