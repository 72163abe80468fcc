"""From a question to hits that say where they stand."""
