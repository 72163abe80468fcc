"""What others watch: metrics, health, pings, the service manager."""
