"""Embedders and rerankers."""
