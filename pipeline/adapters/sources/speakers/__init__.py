"""The speaker of a message: the owner, another person, the assistant, or a machine in their place."""
