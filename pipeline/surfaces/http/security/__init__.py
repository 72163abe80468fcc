"""The checks of every request before it is answered: limits, host, origin, token, rate."""
