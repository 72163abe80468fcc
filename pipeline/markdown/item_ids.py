"""The ids of list items: a letter, and the first hex digits of a hash of what makes an item the same again."""

import hashlib
from collections.abc import Collection

_DIGITS = (8, 12, 32)  # hex digits of an id; more where another item has the first ones


def item_id(letter: str, identity: str, taken: Collection[str]) -> str:
    """The id of an item, such as `j-4f1c02aa`; `taken` are the ids in use."""
    digits = hashlib.sha256(identity.encode()).hexdigest()
    names = [f"{letter}-{digits[:length]}" for length in _DIGITS]
    return next((name for name in names if name not in taken), names[-1])
