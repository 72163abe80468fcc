"""Frozen values that cross a boundary between two parts of the product. They import nothing of ours."""
