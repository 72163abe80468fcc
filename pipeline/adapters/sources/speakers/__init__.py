"""Who speaks in a message: the owner, another person, the assistant, or a machine in their place."""
