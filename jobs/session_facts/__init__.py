"""What an ended session says: facts for the agent's memory, and what it was about. One question for both."""
