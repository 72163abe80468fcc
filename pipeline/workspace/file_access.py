"""File names of pages made of names, and the files of a workspace that an agent may read.

The only way from words to a file name: whatever the words are, the page stands in the folder of its family.
"""

import hashlib
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath
from unicodedata import normalize

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
    """Whether two names are the same page: some file systems ignore upper and lower case."""
    return name.casefold() == other.casefold()


@dataclass(frozen=True)
class FileAccess:
    """The rule whether the lines of a path, relative to the workspace, may be shown.

    `roots` are the folders that hold one folder for each agent. `reader` is the agent that looks, empty for one without
    a memory of its own; `None` is a person, who sees all. What `may_read` opens of another agent is given by a wake-up,
    which leaves out what nobody has confirmed; here it opens nothing.
    """

    roots: tuple[str, ...] = ()
    reader: str | None = None

    def __call__(self, path: str) -> bool:
        """Whether it is no file of another agent."""
        if self.reader is None:
            return True
        parts, own = _folded_parts(path), _folded_parts(page_name(self.reader)) if self.reader else ()
        return ".." not in parts and all(_folder_below(parts, _folded_parts(root)) in {(), own} for root in self.roots)

    def of_agent(self, agent: str) -> bool:
        """Whether what is in the folder of an agent may be shown."""
        return self.reader is None or (
            bool(agent) and _folded_parts(page_name(agent)) == _folded_parts(page_name(self.reader))
        )


ALL = FileAccess()


def _folder_below(parts: tuple[str, ...], root: tuple[str, ...]) -> tuple[str, ...]:
    """The folder below a root that a file is in; empty for a file outside of the root, or in the root itself."""
    deep = len(root)
    return parts[deep : deep + 1] if parts[:deep] == root and len(parts) > deep + 1 else ()


def _folded_parts(path: str) -> tuple[str, ...]:
    """The parts of a path, folded: a file system may ignore upper and lower case."""
    return tuple(normalize("NFKC", part).casefold() for part in PurePosixPath(path).parts)
