"""The facts of an ended session for the agent's memory, and its summary. One question asks for both."""
