"""The changes that an agent's journal gets."""
