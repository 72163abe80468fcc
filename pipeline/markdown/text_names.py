"""Names of items that have no name of their own: made of their words.

A number would not do. A person, or `memory forget`, takes an item out by its name, and then what comes next in that
place would stay out as well.
"""

import hashlib

_DIGITS = 8


def text_name(kind: str, text: str) -> str:
    """The name of an item of a kind with these words, such as `sentence-1f0c9a3b`."""
    return f"{kind}-{hashlib.sha256(text.encode(errors='replace')).hexdigest()[:_DIGITS]}"
