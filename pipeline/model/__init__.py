"""Questions to a model, their answers, and the limit of questions at a time."""
