"""The one door to a model, and how many questions may be under way."""
