"""The engines that keep the index."""
