"""Series of runs: which partitions, what they take, and asking a model ahead."""
