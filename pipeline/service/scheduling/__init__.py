"""The schedule of the service: pure decisions about jobs, and their ports."""
