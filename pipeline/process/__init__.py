"""What a process does about signals, deadlines and its own log."""
