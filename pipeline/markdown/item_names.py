"""Names and ids of items that have none of their own: made of their words.

A number would not do. A person, or `memory forget`, takes an item out by its name, and then the next item in that
place would stay out as well.
"""

import hashlib
from collections.abc import Collection

_NAME_DIGITS = 8


def text_name(kind: str, text: str) -> str:
    """The name of an item of a kind with these words, such as `sentence-1f0c9a3b`."""
    return f"{kind}-{hashlib.sha256(text.encode(errors='replace')).hexdigest()[:_NAME_DIGITS]}"


_DIGITS = (8, 12, 32)  # hex digits of an id; more where another item has the first ones


def item_id(letter: str, identity: str, taken: Collection[str]) -> str:
    """The id of an item, such as `j-4f1c02aa`; `taken` are the ids in use."""
    digits = hashlib.sha256(identity.encode()).hexdigest()
    names = [f"{letter}-{digits[:length]}" for length in _DIGITS]
    return next((name for name in names if name not in taken), names[-1])
