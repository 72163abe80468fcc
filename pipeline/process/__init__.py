"""Processes of ours: signals, deadlines, supervision, log lines."""
