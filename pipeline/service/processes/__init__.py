"""The processes that the service starts."""
