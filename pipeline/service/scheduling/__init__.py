"""When the service runs which job: pure decisions, and the world they look at."""
