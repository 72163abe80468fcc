"""The state of the service for programs that watch it: metrics, health pages, pings, the service manager."""
