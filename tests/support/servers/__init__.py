"""Servers on this machine that behave as told."""
