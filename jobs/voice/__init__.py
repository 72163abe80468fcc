"""What the owner says to the memory itself: forget this, do not keep that. `jobs.extraction` reads what to remember."""
