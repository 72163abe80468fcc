"""The one HTTP server of the service: its connections, and where it listens."""
