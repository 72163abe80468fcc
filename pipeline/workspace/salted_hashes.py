"""Salted hashes, by which a list knows again what it must not show."""

import hashlib

_DIGITS = 32


def salted_hash(salt: str, text: str) -> str:
    """The hash of a text, of 32 hexadecimal digits."""
    return hashlib.sha256(f"{salt}\0{text}".encode(errors="replace")).hexdigest()[:_DIGITS]
