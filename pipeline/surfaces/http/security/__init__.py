"""What every request passes before anything answers it: limits, host, origin, token, rate."""
