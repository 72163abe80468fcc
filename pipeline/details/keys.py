"""Keys of details: `cmd_npm-install_3f9a1c22d0`, readable by people and safe in addresses and command lines."""

import re
import unicodedata
from collections.abc import Iterator
from hashlib import sha256

from schemas.detail import DetailType

LENGTHS = (10, 16, 32, 64)
"""Hex digits of the digest in a key: more where fewer are taken by another text."""

PATTERN = r"(?:cmd|json|csv|log|code|diff|text)_[^\W_]+(?:-[^\W_]+)*_[0-9a-f]{10,64}"
"""What a key looks like, as a regular expression."""

_WORDS = {DetailType.COMMAND: "cmd"}
_LONGEST = 40  # characters of the description in a key
_KEY = re.compile(PATTERN)
_PLACEHOLDER = re.compile(rf".*\[MemoryRef:\s*(?P<key>{PATTERN})\b.*", re.DOTALL)


class TextHash:
    """The digests of a text that comes in blocks: its own, and the one that its keys are made of."""

    def __init__(self, *place: str) -> None:
        """The same text of another thread, agent or user has other keys."""
        names = "\0".join(place).rstrip("\0")
        self._of_text, self._of_key = sha256(), sha256(names.encode(errors="surrogatepass") + b"\0")

    def update(self, block: bytes) -> None:
        """Add the next block of the text."""
        self._of_text.update(block)
        self._of_key.update(block)

    @property
    def text(self) -> str:
        """The sha256 of the text, in hex."""
        return self._of_text.hexdigest()

    @property
    def key(self) -> str:
        """The sha256 of its place and of the text, in hex."""
        return self._of_key.hexdigest()


def keys_of(kind: DetailType, description: str, digest: str) -> Iterator[str]:
    """The keys that a text may have, the shortest first; `description` has no secrets any more."""
    begin = f"{_WORDS.get(kind, kind.value)}_{_slug(description) or 'output'}"
    return (f"{begin}_{digest[:length]}" for length in LENGTHS)


def is_key(text: str) -> bool:
    """Whether a text may be a key; others need no look into the store."""
    return _KEY.fullmatch(text) is not None


def key_in_placeholder(text: str) -> str:
    """The key in a placeholder that was given whole; empty for what is none."""
    match = _PLACEHOLDER.fullmatch(text)
    return match["key"] if match else ""


def _slug(text: str) -> str:
    shown = unicodedata.normalize("NFKC", text[: 4 * _LONGEST]).casefold()
    words = "".join(one if one.isalnum() else "-" for one in shown).split("-")
    return "-".join(filter(None, words))[:_LONGEST].strip("-")
