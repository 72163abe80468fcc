"""Questions over the local socket: both ends, and the way without a service."""
