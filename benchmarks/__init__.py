"""Performance, measured as ratios against a stated baseline in the same run. `make bench` prints the table."""
