"""The run of one partition from its inputs to its files, and the later state of the blocks that it wrote."""
