"""The owner's wishes to forget, and which lines they mean. `jobs.extraction` reads what to remember."""
