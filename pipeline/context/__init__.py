"""The context of a conversation: what goes into a prompt within a budget, what is noted of the rest, summaries.

Pure: what is shown comes in as values, and a large block is replaced by a function that is passed in.
"""
