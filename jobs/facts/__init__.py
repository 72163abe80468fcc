"""What the owner says about themselves and about named things, and what the assistant did, as facts."""
