"""The marks by which a question of ours to an agent's program is known: nothing of it may become memory."""

ASKING = "MEMORY_ASKS_A_MODEL"
"""The variable of the environment that such a program gets; our hooks do nothing where it is set."""

ASKING_FOLDER = "asks-a-model"
"""The name of the empty folder in which such a program works."""
