"""Workspaces with something in them."""
