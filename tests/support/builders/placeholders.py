"""What looks like a placeholder in a text."""

import re

from pipeline.details.placeholder import PATTERN

_MARK = re.compile(rf"\[MemoryRef: (?P<key>{PATTERN}) - [^\[\]\n]*\]")


def mentioned_keys(text: str) -> list[str]:
    """The keys in what looks like placeholders, in order. Only the store knows which of them exist."""
    return list(dict.fromkeys(match["key"] for match in _MARK.finditer(text)))
