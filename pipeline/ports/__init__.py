"""What the engine asks of the outside world: Protocols."""
