"""The use cases of details: keep and retrieve them, look after them, take them away and bring them back."""
