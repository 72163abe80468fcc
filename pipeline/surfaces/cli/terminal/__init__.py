"""Between a command and its terminal: parameters, streams, errors."""
