"""Names of pages out of names of people, agents and things, safe in every file system.

The only way from words to a file name: whatever the words are, the page stands in the folder of its family.
"""

import hashlib
import unicodedata
from functools import lru_cache

LONGEST = 80
"""Bytes of a name in UTF-8."""

_HASH = 8  # hex digits, which distinguish names that are too long, or have no character that a file name may have


@lru_cache(maxsize=1024)
def page_name(text: str) -> str:
    """Letters, digits and single hyphens of `text` in the form NFKC; at most `LONGEST` bytes, never empty.

    The name of a name is that name. What is cut off, or holds no letter and no digit, ends with a hash of all of it.
    """
    shown = "".join(character if character.isalnum() else "-" for character in unicodedata.normalize("NFKC", text))
    # Some letters are taken apart only after a neighbour has gone.
    name = "-".join(filter(None, unicodedata.normalize("NFKC", shown).split("-")))
    if name and len(name.encode()) <= LONGEST:
        return name
    digest = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:_HASH]
    cut = name.encode()[: LONGEST - _HASH - 1].decode(errors="ignore").rstrip("-")
    return f"{cut}-{digest}".lstrip("-")


def same_page(name: str, other: str) -> bool:
    """Whether two names are one page: some file systems ignore upper and lower case."""
    return name.casefold() == other.casefold()
